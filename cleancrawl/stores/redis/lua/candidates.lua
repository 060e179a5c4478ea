-- Written for cleancrawl. ARGV: band keys (8 bytes each), how many articles count for one key. Gives {url, document, data} for each article that has one.
local stories, found, result = open_table(STORIES), {}, {}
for _, key in ipairs(pieces(ARGV[1], 8)) do
    local numbers = get_short(stories, key) or ''
    for _, packed in ipairs(pieces(string.sub(numbers, 1, 4 * tonumber(ARGV[2])), 4)) do
        local number = struct.unpack('>I4', packed)
        local url = not found[number] and redis.call('HGET', DOCUMENT_URLS, number)
        found[number] = true
        if url then
            result[#result + 1] = {url, redis.call('HGET', DOCUMENTS, url), redis.call('HGET', DOCUMENT, number)}
        end
    end
end
return result
