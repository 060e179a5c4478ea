-- Written for cleancrawl. ARGV: site or '', latest time or '', after, limit. Gives {url, hold, response} for each.
local from = ARGV[1] == '' and HOLDS or holds_of(ARGV[1])
local before, limit, result = tonumber(ARGV[2]), tonumber(ARGV[4]), {}
local start = ARGV[3] == '' and '-' or '(' .. ARGV[3]
while #result < limit do
    local urls = redis.call('ZRANGEBYLEX', from, start, '+', 'LIMIT', 0, 100)
    if #urls == 0 then break end
    start = '(' .. urls[#urls]
    for i, meta in ipairs(many('HMGET', HELD, urls)) do
        if #result < limit and (not before or tonumber(cjson.decode(meta).since) < before) then
            result[#result + 1] = {urls[i], meta, redis.call('HGET', RESPONSES, urls[i])}
        end
    end
end
return result
