-- Written for cleancrawl. ARGV: after, limit, site or ''. Gives {url, entry, text or false, what was withdrawn or false}
-- for each.
local from = ARGV[3] == '' and OUTBOX or outbox_of(ARGV[3])
local urls = redis.call('ZRANGEBYSCORE', from, '(' .. ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])
local metas, texts, result = many('HMGET', META, urls), many('HMGET', TEXTS, urls), {}
local were = many('HMGET', WAS, urls)
for i, url in ipairs(urls) do result[i] = {url, metas[i], texts[i], were[i]} end
return result
