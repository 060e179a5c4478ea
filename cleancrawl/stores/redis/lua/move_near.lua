-- Written for cleancrawl. From version 2: where blocks are filed, out of one hash per part of the fingerprint. ARGV: scope,
-- part, fields (2 bytes each).
local near, old, part = open_table(near_of(ARGV[1])), P .. 'band' .. ARGV[2] .. ':' .. ARGV[1], tonumber(ARGV[2])
for _, start in ipairs(pieces(ARGV[3], 2)) do
    local filed = redis.call('HGET', old, start)
    if filed then append_short(near, string.char(part) .. start, filed) end
    redis.call('HDEL', old, start)
end
close_table(near)
