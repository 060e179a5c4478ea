-- Written for cleancrawl. ARGV: scope. Gives how many of the site's distinct pages are articles.
local count = 0
for _, page in ipairs(redis.call('HVALS', pages_of(ARGV[1]))) do
    if string.byte(page) == 49 then count = count + 1 end  -- the character 1
end
return count
