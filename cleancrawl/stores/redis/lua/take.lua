-- Written for cleancrawl. Sites for a worker: of leases that ran out, then those that are due. ARGV: owner, most, seconds
-- of a lease, latest due time or '', where to go on looking for leases that ran out. Gives: where to go on, seconds of a
-- lease, the time, {name, site (JSON), token, 1 where it was taken over, delay} for each.
local owner, most = ARGV[1], tonumber(ARGV[2])
if redis.call('EXISTS', QUEUE) == 0 then redis.call('XGROUP', 'CREATE', QUEUE, GROUP, '0', 'MKSTREAM') end
local now = time_now()

-- One length for all leases: a worker with a shorter one would take sites from others that still hold them.
if redis.call('XPENDING', QUEUE, GROUP)[1] == 0 then redis.call('SET', P .. 'lease-seconds', ARGV[3]) end
local seconds = redis.call('GET', P .. 'lease-seconds')

local claimed = redis.call('XAUTOCLAIM', QUEUE, GROUP, owner, math.floor(seconds * 1000), ARGV[5], 'COUNT', most)
local entries, over = claimed[2], #claimed[2]
if over < most then
    local latest = math.min(now, tonumber(ARGV[4]) or now)
    local names = redis.call('ZRANGEBYSCORE', DUE, '-inf', string.format('%.6f', latest), 'LIMIT', 0, most - over)
    for _, name in ipairs(names) do
        redis.call('ZREM', DUE, name)
        redis.call('XADD', QUEUE, '*', 'site', name)
    end
    local read = #names > 0 and redis.call(
        'XREADGROUP', 'GROUP', GROUP, owner, 'COUNT', #names, 'STREAMS', QUEUE, '>')
    for _, entry in ipairs(read and read[1][2] or {}) do entries[#entries + 1] = entry end
end

local result = {}
for place, entry in ipairs(entries) do
    local id, name = entry and entry[1], entry and entry[2] and entry[2][2]
    local site = name and redis.call('HGET', LISTED, name)
    if site then
        local old, token = redis.call('HGET', OWNERS, name), redis.call('INCR', P .. 'token')
        local delay = cjson.decode(old or site).delay or 0
        redis.call('HSET', TOKENS, name, token)
        redis.call('HSET', OWNERS, name, cjson.encode({owner = owner, id = id, taken = now, delay = delay}))
        result[#result + 1] = {name, site, token, place <= over and 1 or 0, tostring(delay)}
    elseif id then
        redis.call('XACK', QUEUE, GROUP, id)
        redis.call('XDEL', QUEUE, id)
    end
end
return {claimed[1], seconds, string.format('%.6f', now), result}
