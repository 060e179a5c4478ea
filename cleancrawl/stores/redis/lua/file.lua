-- Written for cleancrawl. Files a block under the parts of its fingerprint. ARGV: scope, key, fingerprint.
local near = open_table(near_of(ARGV[1]))
file_near(near, ARGV[2], ARGV[3])
close_table(near)
