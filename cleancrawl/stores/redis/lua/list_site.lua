-- Written for cleancrawl. ARGV: name, site (JSON), seconds until it is due, or '' to leave that as it is. Gives 1 where the
-- site is new on the list.
local name, site, old = ARGV[1], cjson.decode(ARGV[2]), redis.call('HGET', LISTED, ARGV[1])
if old then
    local past = cjson.decode(old)
    for _, field in ipairs({'outcome', 'ended', 'pages', 'articles', 'rate', 'delay', 'rests_until'}) do site[field] = past[field] end
end
redis.call('HSET', LISTED, name, cjson.encode(site))
if site.paused then
    redis.call('ZREM', DUE, name)
elseif redis.call('HEXISTS', TOKENS, name) == 0 and (ARGV[3] ~= '' or not redis.call('ZSCORE', DUE, name)) then
    redis.call('ZADD', DUE, string.format('%.6f', time_now() + (tonumber(ARGV[3]) or 0)), name)
end
return old and 0 or 1
