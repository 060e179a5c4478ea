-- Written for cleancrawl. Files a block under the bands of its fingerprint. ARGV: scope, key, fingerprint.
local scope, key, fingerprint = ARGV[1], ARGV[2], ARGV[3]
for band = 0, 3 do
    local field = string.sub(fingerprint, 2 * band + 1, 2 * band + 2)
    local there = redis.call('HGET', band_of(scope, band), field) or ''
    redis.call('HSET', band_of(scope, band), field, there .. fingerprint .. key)
end
