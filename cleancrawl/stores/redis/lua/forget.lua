-- Written for cleancrawl. Forgets all about a URL but its site's blocks. ARGV: url, site.
local url, site = ARGV[1], ARGV[2]
drop_signature(url)
release(url)
redis.call('HDEL', URLS, url)
redis.call('HDEL', META, url)
redis.call('HDEL', TEXTS, url)
redis.call('HDEL', KEPT, url)
redis.call('HDEL', WAS, url)
redis.call('ZREM', OUTBOX, url)
redis.call('ZREM', outbox_of(site), url)
