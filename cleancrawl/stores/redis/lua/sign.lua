-- Written for cleancrawl. ARGV: url, site, time, band keys (8 bytes each), signature data.
put_signature(ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5])
