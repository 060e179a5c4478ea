-- Written for cleancrawl. ARGV: url, its entry as it was read (JSON), its article as it is now (JSON text).
-- Gives 1 where the entry was still that one, else 0. The text is not made here: cjson writes an empty list as {}.
local url = ARGV[1]
if redis.call('HGET', META, url) ~= ARGV[2] then return 0 end
local meta = cjson.decode(ARGV[2])
redis.call('HSET', TEXTS, url, ARGV[3])
append(url, meta.site, meta)
return 1
