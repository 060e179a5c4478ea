-- Written for cleancrawl. ARGV: name or '' for all. Gives the time, and {name, site (JSON), due or '', owner (JSON) or '',
-- seconds until its lease runs out} for each.
local names = ARGV[1] == '' and redis.call('HKEYS', LISTED) or {ARGV[1]}
local seconds, idle, result = tonumber(redis.call('GET', P .. 'lease-seconds') or 0), {}, {}
if redis.call('EXISTS', QUEUE) == 1 then
    for _, row in ipairs(redis.call('XPENDING', QUEUE, GROUP, '-', '+', redis.call('XLEN', QUEUE) + 1)) do
        idle[row[1]] = row[3] / 1000
    end
end
for _, name in ipairs(names) do
    local site, owner = redis.call('HGET', LISTED, name), redis.call('HGET', OWNERS, name)
    if site then
        local left = owner and seconds - (idle[cjson.decode(owner).id] or 0) or 0
        result[#result + 1] = {name, site, redis.call('ZSCORE', DUE, name) or '', owner or '', tostring(left)}
    end
end
return {string.format('%.6f', time_now()), result}
