-- Written for cleancrawl. ARGV: url.
release(ARGV[1])
