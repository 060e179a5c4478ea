-- Written for cleancrawl. Forgets where the blocks of a site are filed. ARGV: scope.
local near = open_table(near_of(ARGV[1]))
for number = 0, near.hashes - 1 do redis.call('UNLINK', near.path .. number) end
redis.call('HDEL', TABLES, near.name)
