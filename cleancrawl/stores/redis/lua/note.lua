-- Written for cleancrawl. ARGV: site, name, text, fence.
local lost = lost_lease(ARGV[4])
if lost then return lost end
redis.call('HSET', P .. 'notes:' .. ARGV[1], ARGV[2], ARGV[3])
redis.call('SADD', P .. 'noted', ARGV[1])
