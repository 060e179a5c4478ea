-- Written for cleancrawl. ARGV: url, fence.
local lost = lost_lease(ARGV[2])
if lost then return lost end
release(ARGV[1])
