-- Written for cleancrawl. From version 2: band keys out of hashes by their first two bytes. ARGV: first two bytes of several.
local stories = open_table(STORIES)
for _, start in ipairs(pieces(ARGV[1], 2)) do
    local old = P .. 'signatures:' .. start
    local all = redis.call('HGETALL', old)
    for i = 1, #all, 2 do append_short(stories, all[i], all[i + 1]) end
    redis.call('DEL', old)
end
close_table(stories)
