-- Written for cleancrawl. ARGV: band keys (8 bytes each). Gives {url, document, data} for each article that has one.
local found, result = {}, {}
for _, key in ipairs(pieces(ARGV[1], 8)) do
    for _, packed in ipairs(pieces(redis.call('HGET', signatures_of(key), key) or '', 4)) do
        local number = struct.unpack('>I4', packed)
        local url = not found[number] and redis.call('HGET', DOCUMENT_URLS, number)
        found[number] = true
        if url then
            result[#result + 1] = {url, redis.call('HGET', DOCUMENTS, url), redis.call('HGET', DOCUMENT, number)}
        end
    end
end
return result
