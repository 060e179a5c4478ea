-- Written for cleancrawl. ARGV: url, time, fence. Gives 1 where there was an article, else 0.
local lost = lost_lease(ARGV[3])
if lost then return lost end
local url = ARGV[1]
local text = redis.call('HGET', META, url)
local meta = text and cjson.decode(text)
local there = meta and not meta.gone
if there then
    meta.gone, meta.recorded = true, ARGV[2]
    redis.call('HSET', WAS, url, redis.call('HGET', TEXTS, url))
    redis.call('HDEL', TEXTS, url)
    append(url, meta.site, meta)
end
drop_signature(url)
return there and 1 or 0
