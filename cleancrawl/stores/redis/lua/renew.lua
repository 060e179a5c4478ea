-- Written for cleancrawl. A worker's sign of life: the idle time of its entries begins anew. ARGV: owner, then a name, a
-- token and a delay for each lease. Gives 1 for each that still holds, else 0.
local result = {}
for at = 2, #ARGV, 3 do
    local name, token, delay = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    local holds = redis.call('HGET', TOKENS, name) == token
    if holds then
        local held = cjson.decode(redis.call('HGET', OWNERS, name))
        redis.call('XCLAIM', QUEUE, GROUP, ARGV[1], 0, held.id, 'JUSTID')
        if held.delay ~= delay then
            held.delay = delay
            redis.call('HSET', OWNERS, name, cjson.encode(held))
        end
    end
    result[#result + 1] = holds and 1 or 0
end
return result
