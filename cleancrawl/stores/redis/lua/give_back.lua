-- Written for cleancrawl. Ends a lease. ARGV: name, token, what the run changes of the site (JSON), seconds until it is
-- due again, 1 where the run was whole, seconds for which it must not be asked. Gives 1, or 0 where the lease had ended before.
local name = ARGV[1]
if redis.call('HGET', TOKENS, name) ~= ARGV[2] then return 0 end
end_lease(name)
local text, now = redis.call('HGET', LISTED, name), time_now()
if not text then return 0 end
local site = cjson.decode(text)
for field, value in pairs(cjson.decode(ARGV[3])) do site[field] = value end
if ARGV[5] == '1' then site.ended = now end
site.rests_until = now + ARGV[6]
redis.call('HSET', LISTED, name, cjson.encode(site))
if not site.paused then redis.call('ZADD', DUE, string.format('%.6f', now + ARGV[4]), name) end
return 1
