-- Written for cleancrawl. ARGV: name. Gives 1 where the site was on the list.
end_lease(ARGV[1])
redis.call('ZREM', DUE, ARGV[1])
return redis.call('HDEL', LISTED, ARGV[1])
