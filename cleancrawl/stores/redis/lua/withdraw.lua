-- Written for cleancrawl. ARGV: url.
local url = ARGV[1]
local text = redis.call('HGET', META, url)
local meta = text and cjson.decode(text)
if meta and not meta.gone then
    meta.gone = true
    redis.call('HDEL', TEXTS, url)
    append(url, meta.site, meta)
end
drop_signature(url)
