-- Written for cleancrawl. Forgets blocks. ARGV: scope, keys (8 bytes each). Gives how many went.
local scope, gone = ARGV[1], 0
local near = open_table(near_of(scope))
for _, key in ipairs(pieces(ARGV[2], 8)) do
    local row = redis.call('HGET', blocks_of(scope), key)
    if row then
        gone = gone + 1
        redis.call('HDEL', blocks_of(scope), key)
        redis.call('HDEL', samples_of(scope), key)
        local print = string.sub(row, 22)
        for part = 0, string.byte(row, 21) == 1 and 3 or -1 do
            take_short(near, near_field(print, part), 16, function(entry) return string.sub(entry, 9) == key end)
        end
    end
end
close_table(near)
return gone
