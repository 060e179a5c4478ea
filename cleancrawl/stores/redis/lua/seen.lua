-- Written for cleancrawl. ARGV: scope, url, keys (8 bytes each), fingerprints (a flag and 8 bytes each).
-- Gives: pages known, number of the page that the URL is, that page, row per key, {place, key, row} per near block.
local scope, url = ARGV[1], ARGV[2]
local keys = pieces(ARGV[3], 8)
local state = state_of(url)
local number = state and state.page or 0
local own = number > 0 and redis.call('HGET', pages_of(scope), number) or false
local rows = many('HMGET', blocks_of(scope), keys)

-- Only blocks with a fingerprint that their exact text does not settle. Also page_rules.unsure. The loops are written for
-- speed: at the largest size of a site they see several hundred candidates.
local places, prints, highs, lows, flagged = {}, {}, {}, {}, ARGV[4]
for place = 1, #keys do
    local at = 9 * place - 8
    if string.byte(flagged, at) == 1 then
        local row, total = rows[place], 0
        if row then
            local articles, others = unpack_struct('>I4I4', row)
            total = articles + others
        end
        if total <= ENOUGH then
            local count = #places + 1
            places[count], prints[count] = place, string.sub(flagged, at + 1, at + 8)
            highs[count], lows[count] = unpack_struct('>I4I4', flagged, at + 1)
        end
    end
end

local near, found, filed_under = {}, {}, open_table(near_of(scope))
for part = 0, 3 do
    for i, print in ipairs(prints) do
        local filed = get_short(filed_under, near_field(print, part))
        local high, low = highs[i], lows[i]
        for start = 1, filed and #filed or 0, 16 do
            local a, b = unpack_struct('>I4I4', filed, start)
            local count = differ(bxor(a, high), 0, NEAR_DISTANCE)
            if count and differ(bxor(b, low), count, NEAR_DISTANCE) then
                local key = string.sub(filed, start + 8, start + 15)
                local pair = i .. ':' .. key
                if not found[pair] then
                    found[pair] = true
                    near[#near + 1] = {places[i], key}
                end
            end
        end
    end
end
local wanted = {}
for i, pair in ipairs(near) do wanted[i] = pair[2] end
for i, row in ipairs(many('HMGET', blocks_of(scope), wanted)) do near[i][3] = row end
return {redis.call('HLEN', pages_of(scope)), own and number or 0, own, rows, near}
