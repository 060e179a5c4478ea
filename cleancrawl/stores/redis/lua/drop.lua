-- Written for cleancrawl. Forgets blocks. ARGV: scope, keys (8 bytes each). Gives how many went.
local scope, gone = ARGV[1], 0
for _, key in ipairs(pieces(ARGV[2], 8)) do
    local row = redis.call('HGET', blocks_of(scope), key)
    if row then
        gone = gone + 1
        redis.call('HDEL', blocks_of(scope), key)
        redis.call('HDEL', samples_of(scope), key)
        local print = string.sub(row, 22)
        for band = 0, string.byte(row, 21) == 1 and 3 or -1 do
            local field, left = string.sub(print, 2 * band + 1, 2 * band + 2), {}
            for _, entry in ipairs(pieces(redis.call('HGET', band_of(scope, band), field) or '', 16)) do
                if string.sub(entry, 9) ~= key then left[#left + 1] = entry end
            end
            if #left > 0 then
                redis.call('HSET', band_of(scope, band), field, table.concat(left))
            else
                redis.call('HDEL', band_of(scope, band), field)
            end
        end
    end
end
return gone
