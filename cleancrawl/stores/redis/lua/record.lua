-- Written for cleancrawl. One page in one step: Redis runs a script alone, all of it or (killed) nothing that was logged.
-- ARGV: scope, url, visit (JSON), keys (8 bytes each), fingerprints (a flag and 8 bytes each), samples (JSON), number of
-- the page that it copies, most sightings, most blocks of a page, article (JSON text or ''), its digest, band keys,
-- signature data, held response or '', per key whether it is kept,
-- who judged (4 bytes), fence, per key the section of a text or 0 (2 bytes each). Gives: version, previous fingerprint or '', cursor or 0, blocks of the site.
local lost = lost_lease(ARGV[17])
if lost then return lost end
local scope, url = ARGV[1], ARGV[2]
local visit = cjson.decode(ARGV[3])
local keys, prints = pieces(ARGV[4], 8), pieces(ARGV[5], 9)
local samples = cjson.decode(ARGV[6])
local copied, most, most_blocks = ARGV[7], tonumber(ARGV[8]), tonumber(ARGV[9])
local article = visit.reason == nil
local content = visit.content:gsub('..', function(pair) return string.char(tonumber(pair, 16)) end)
local NONE = string.rep('\0', 8)
local now = math.floor(tonumber(visit.fetched))

-- Which distinct page it is: the one of its URL, the one that it copies, or a new one. Also page_rules.contents_agree.
local old = state_of(url)
local number = old and old.page or 0
local page = number > 0 and redis.call('HGET', pages_of(scope), number)
if not page and copied ~= '0' then
    page = redis.call('HGET', pages_of(scope), copied)
    local before = page and string.sub(page, 2, 9)
    if page and (content == NONE or before == NONE or within(content, before, COPY_DISTANCE)) then
        number = tonumber(copied)
    else
        page = false
    end
end
if not page then
    number = redis.call('INCR', NUMBER)
    page = (article and '1' or '0') .. NONE
end
local counted, order = {}, {}
for i, half in ipairs(pieces(string.sub(page, 10), 4)) do
    order[i] = short(half)
    counted[order[i]] = string.byte(half, 4) % 2
end
local kind = article and 1 or 0

-- What a row has behind its fingerprint, with the section of a page counted (1) or taken back (-1): sums of the sections of
-- all articles that show the text, and of their squares.
local function sums(tail, section, sign)
    local total, squares = 0, 0
    if #tail > 0 then total, squares = unpack_struct('>I4I8', tail) end
    total, squares = total + sign * section, squares + sign * section * section
    -- Below 0 where the page was counted without its section.
    if total <= 0 or squares <= 0 then return '' end
    return struct.pack('>I4I8', total, squares)
end

-- Its blocks: counted once for this page, moved where it turned out to be an article or not. Also page_rules.counted.
local now_counted, writes, filed = {}, {}, {}
for place, row in ipairs(many('HMGET', blocks_of(scope), keys)) do
    local key = keys[place]
    local half = short(key)
    local before = counted[half]
    local section = unpack_struct('>I2', ARGV[18], 2 * place - 1)
    local again = before ~= nil
    if not again then order[#order + 1] = half end
    now_counted[half] = kind
    if row then
        local articles, others, first, last, seen = struct.unpack('>I4I4I4I4I4', row)
        local tail, sign = string.sub(row, 30), 0
        if not again then
            if article and articles < most then sign = 1 end
            if article then articles = math.min(articles + 1, most) else others = math.min(others + 1, most) end
            last = number
            if samples[place] ~= '' then redis.call('HSETNX', samples_of(scope), key, samples[place]) end
        elseif before ~= kind then
            sign = article and 1 or -1
            articles, others = math.max(0, articles + sign), math.max(0, others - sign)
        end
        local head = struct.pack('>I4I4I4I4I4', articles, others, first, last, math.max(seen, now))
        writes[#writes + 1] = key
        if section > 0 and sign ~= 0 then tail = sums(tail, section, sign) end
        writes[#writes + 1] = head .. string.sub(row, 21, 29) .. tail
    elseif not again then
        writes[#writes + 1] = key
        local tail = article and section > 0 and sums('', section, 1) or ''
        writes[#writes + 1] = struct.pack('>I4I4I4I4I4', kind, 1 - kind, number, number, now) .. prints[place] .. tail
        if string.byte(prints[place]) == 1 then filed[#filed + 1] = place end
    end
end
many('HSET', blocks_of(scope), writes)
if #filed > 0 then
    local near = open_table(near_of(scope))
    for _, place in ipairs(filed) do file_near(near, keys[place], string.sub(prints[place], 2)) end
    close_table(near)
end
-- Also page_rules.owned.
local halves = {}
for i, half in ipairs(order) do
    local bit_of = now_counted[half] or counted[half]
    halves[i] = string.sub(half, 1, 3) .. string.char(string.byte(half, 4) + bit_of)
end
local all = string.sub(table.concat(halves), -4 * most_blocks)
redis.call('HSET', pages_of(scope), number, (article and '1' or '0') .. content .. all)

-- The verdicts on its blocks, kept ones first. Also version_rules.verdicts.
local flags, judge, now_kept, verdicts = ARGV[15], ARGV[16], {}, {}
for _, wanted in ipairs({1, 0}) do
    for place, key in ipairs(keys) do
        if string.byte(flags, place) - 48 == wanted and #verdicts < most_blocks then
            local half = short(key)
            if now_kept[half] == nil then
                now_kept[half] = wanted
                verdicts[#verdicts + 1] = string.sub(half, 1, 3) .. string.char(string.byte(half, 4) + wanted)
            end
        end
    end
end
-- Whether two verdicts on the page differ only by what has become known of its site: the judge is the same, and every
-- block that only one of them keeps was on the page before and is on it now. Also version_rules.same_source.
local function same_source(before)
    if #before <= 4 or string.sub(before, 1, 4) ~= judge then return false end
    local then_kept = {}
    for _, half in ipairs(pieces(string.sub(before, 5), 4)) do then_kept[short(half)] = string.byte(half, 4) % 2 end
    for half, kept in pairs(then_kept) do
        if kept == 1 and now_kept[half] == nil then return false end
    end
    for half, kept in pairs(now_kept) do
        if kept == 1 and then_kept[half] == nil then return false end
    end
    return true
end
-- Also version_rules.same_head.
local function same_head(other)
    local a, b = cjson.decode(ARGV[10]), cjson.decode(other)
    return a.title == b.title and a.recipe == b.recipe
end

-- Also version_rules.more_renderings. Found in the JSON text, where a quotation mark inside a string has a backslash.
local function more_renderings(stored, given)
    local more = false
    for _, name in ipairs({'"markdown": "', '"clean_html": "'}) do
        local before, after = string.find(stored, name, 1, true), string.find(given, name, 1, true)
        if before and not after then return false end
        more = more or (after and not before)
    end
    return more
end

-- Its article: a new entry of the outbox, unless it is the one that is there.
local version, previous, cursor = old and old.version or 0, '', 0
if ARGV[10] ~= '' then
    local text = redis.call('HGET', META, url)
    local meta = text and cjson.decode(text)
    local same = meta and not meta.gone and (meta.digest == ARGV[11]
        or same_source(redis.call('HGET', KEPT, url) or '') and same_head(redis.call('HGET', TEXTS, url)))
    if same then
        version = meta.version
        if meta.digest == ARGV[11] and more_renderings(redis.call('HGET', TEXTS, url), ARGV[10]) then
            redis.call('HSET', TEXTS, url, ARGV[10])
        end
    else
        version, previous = meta and meta.version + 1 or 1, meta and meta.content or ''
        redis.call('HSET', TEXTS, url, ARGV[10])
        redis.call('HDEL', WAS, url)
        redis.call('HSET', KEPT, url, judge .. table.concat(verdicts))
        cursor = append(url, visit.site, {
            site = visit.site, version = version, previous = previous, content = visit.content, digest = ARGV[11],
            recorded = visit.fetched})
        if ARGV[12] ~= '' then put_signature(url, visit.site, visit.fetched, ARGV[12], ARGV[13]) end
    end
end

-- Its state. Also page_rules.after_record.
local state = {
    site = visit.site, page = number, first = old and old.first or visit.fetched, last = visit.fetched,
    status = visit.status, etag = visit.etag, modified = visit.modified, reason = visit.reason, content = visit.content,
    version = version, visits = old and old.visits + (old.last ~= visit.fetched and 1 or 0) or 1,
    changes = old and old.changes or ''}
if not old or old.content ~= visit.content then
    state.changes = state.changes == '' and visit.fetched or state.changes .. ',' .. visit.fetched
    local _, commas = state.changes:gsub(',', ',')
    if commas >= CHANGES_KEPT then state.changes = state.changes:gsub('^[^,]*,', '', 1) end
end
put_state(url, visit.site, state)

-- Its hold: begun or ended.
if ARGV[14] == '' then
    release(url)
else
    redis.call('HSET', HELD, url, cjson.encode({site = visit.site, since = visit.fetched}))
    redis.call('HSET', RESPONSES, url, ARGV[14])
    redis.call('ZADD', HOLDS, 0, url)
    redis.call('ZADD', holds_of(visit.site), 0, url)
end
return {version, previous, cursor, redis.call('HLEN', blocks_of(scope))}
