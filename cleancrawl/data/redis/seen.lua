-- Written for cleancrawl. ARGV: scope, url, keys (8 bytes each), fingerprints (a flag and 8 bytes each).
-- Gives: pages known, number of the page that the URL is, that page, row per key, {place, key, row} per near block.
local scope, url = ARGV[1], ARGV[2]
local keys = pieces(ARGV[3], 8)
local state = state_of(url)
local number = state and state.page or 0
local own = number > 0 and redis.call('HGET', pages_of(scope), number) or false
local rows = many('HMGET', blocks_of(scope), keys)

local places, prints = {}, {}
for place, piece in ipairs(pieces(ARGV[4], 9)) do
    local row = rows[place]
    local total = 0
    if row then
        local articles, others = struct.unpack('>I4I4', row)
        total = articles + others
    end
    if string.byte(piece) == 1 and total <= 2 then
        places[#places + 1] = place
        prints[#prints + 1] = string.sub(piece, 2)
    end
end

local near, found = {}, {}
for band = 0, 3 do
    local fields = {}
    for i, print in ipairs(prints) do fields[i] = string.sub(print, 2 * band + 1, 2 * band + 2) end
    for i, filed in ipairs(many('HMGET', band_of(scope, band), fields)) do
        for start = 1, filed and #filed or 0, 16 do
            local key = string.sub(filed, start + 8, start + 15)
            local pair = i .. ':' .. key
            if not found[pair] and within(prints[i], string.sub(filed, start, start + 7), 3) then
                found[pair] = true
                near[#near + 1] = {places[i], key}
            end
        end
    end
end
local wanted = {}
for i, pair in ipairs(near) do wanted[i] = pair[2] end
for i, row in ipairs(many('HMGET', blocks_of(scope), wanted)) do near[i][3] = row end
return {redis.call('HLEN', pages_of(scope)), own and number or 0, own, rows, near}
