-- Written for cleancrawl: put before each of the other scripts, after the thresholds of stores/page_rules.py. KEYS[1] is
-- the prefix of all keys. A comment "Also page_rules.…" or "Also version_rules.…"
-- names the rule that is written there once more: change both.
local P = KEYS[1]
local URLS, NUMBER, SITES = P .. 'urls', P .. 'number', P .. 'sites'
local OUTBOX, META, TEXTS, KEPT, CURSOR = P .. 'outbox', P .. 'meta', P .. 'texts', P .. 'kept', P .. 'cursor'
local WAS = P .. 'was'
local HELD, HOLDS, RESPONSES = P .. 'held', P .. 'holds', P .. 'responses'
local DOCUMENTS, DOCUMENT_URLS, DOCUMENT = P .. 'documents', P .. 'document-urls', P .. 'document'
local LISTED, DUE, QUEUE, GROUP = P .. 'listed', P .. 'due', P .. 'queue', 'workers'
local OWNERS, TOKENS = P .. 'owners', P .. 'tokens'
local CHUNK = 4000  -- arguments of one call: Lua's stack holds 8000 values

local function blocks_of(scope) return P .. 'blocks:' .. scope end
local function pages_of(scope) return P .. 'pages:' .. scope end
local function samples_of(scope) return P .. 'samples:' .. scope end
local function urls_of(site) return P .. 'urls:' .. site end
local function visited_of(site) return P .. 'visited:' .. site end
local function outbox_of(site) return P .. 'outbox:' .. site end
local function holds_of(site) return P .. 'holds:' .. site end

-- One call for many fields, in parts.
local function many(command, key, list)
    local result = {}
    for start = 1, #list, CHUNK do
        local part = redis.call(command, key, unpack(list, start, math.min(start + CHUNK - 1, #list)))
        if type(part) == 'table' then
            for i = 1, #part do result[start + i - 1] = part[i] end
        end
    end
    return result
end

local function pieces(packed, size)
    local result = {}
    for start = 1, #packed, size do result[#result + 1] = string.sub(packed, start, start + size - 1) end
    return result
end

-- A large table of short values, kept in many small hashes: Redis holds those in a compact form, without pointers. It grows
-- by linear hashing (Litwin 1980): with every 16 or 64 entries more, one hash gives half of its own to a new one, so a
-- script never moves more than a few. Smaller hashes are quicker, larger ones leaner: a page has a few dozen entries in the
-- table of its site, twelve in that of all sites. Who writes into a table closes it.
local TABLES, STORIES = P .. 'tables', 'stories'
local function near_of(scope) return 'near:' .. scope end

local function open_table(name)
    local counts, entries, hashes, above = redis.call('HGET', TABLES, name), 0, 1, 1
    if counts then entries, hashes = struct.unpack('>I4I4', counts) end
    while above < hashes do above = above * 2 end
    -- The last four bytes of a band key, or both of a fingerprint's part, say which hash a field is in.
    local t = {name = name, path = P .. name .. ':', entries = entries, hashes = hashes, above = above}
    if name == STORIES then
        t.share, t.format, t.from = 64, '>I4', 5
    else
        t.share, t.format, t.from = 16, '>I2', 2
    end
    return t
end

local function hash_of(t, field)
    local number = struct.unpack(t.format, field, t.from) % t.above
    if number >= t.hashes then number = number - t.above / 2 end
    return t.path .. number
end

local function get_short(t, field) return redis.call('HGET', hash_of(t, field), field) end

local function append_short(t, field, value)
    local hash = hash_of(t, field)
    local there = redis.call('HGET', hash, field)
    redis.call('HSET', hash, field, there and there .. value or value)
    if not there then t.entries = t.entries + 1 end
end

-- Takes the entries that a test finds out of a value; all are of one size.
local function take_short(t, field, size, gone)
    local hash, left = hash_of(t, field), {}
    local there = redis.call('HGET', hash, field)
    if not there then return end
    for _, entry in ipairs(pieces(there, size)) do
        if not gone(entry) then left[#left + 1] = entry end
    end
    if #left > 0 then
        redis.call('HSET', hash, field, table.concat(left))
    else
        t.entries = t.entries - redis.call('HDEL', hash, field)
    end
end

local function close_table(t)
    while t.entries > t.share * t.hashes do
        if t.hashes == t.above then t.above = 2 * t.above end
        local half = t.above / 2
        local from, fields, moved = t.path .. (t.hashes - half), {}, {}
        local all = redis.call('HGETALL', from)
        for i = 1, #all, 2 do
            if struct.unpack(t.format, all[i], t.from) % t.above >= half then
                fields[#fields + 1] = all[i]
                moved[#moved + 1], moved[#moved + 2] = all[i], all[i + 1]
            end
        end
        many('HSET', t.path .. t.hashes, moved)
        many('HDEL', from, fields)
        t.hashes = t.hashes + 1
    end
    redis.call('HSET', TABLES, t.name, struct.pack('>I4I4', t.entries, t.hashes))
end

-- Where a block is filed by one of the four parts of its fingerprint.
local function near_field(fingerprint, part)
    return string.char(part) .. string.sub(fingerprint, 2 * part + 1, 2 * part + 2)
end

local function file_near(t, key, fingerprint)
    for part = 0, 3 do
        append_short(t, near_field(fingerprint, part), fingerprint .. key)
    end
end

local band, bxor, unpack_struct = bit.band, bit.bxor, struct.unpack

-- Whether two halves differ, together with so many bits before, in at most so many; gives the count or nil.
local function differ(x, count, most)
    while x ~= 0 do
        count = count + 1
        if count > most then return nil end
        x = band(x, x - 1)
    end
    return count
end

-- Whether two fingerprints of eight bytes differ in at most so many bits.
local function within(first, second, most)
    local a, b = unpack_struct('>I4I4', first)
    local c, d = unpack_struct('>I4I4', second)
    local count = differ(bxor(a, c), 0, most)
    return count and differ(bxor(b, d), count, most) ~= nil
end

-- Enough of a key to tell the blocks of one page apart: 31 bits; and the free bit, which tells if it is an article's.
-- Also page_rules.SHORT.
local function short(key)
    local last = string.byte(key, -1)
    return string.sub(key, -4, -2) .. string.char(last - last % 2)
end

local function state_of(url)
    local text = redis.call('HGET', URLS, url)
    return text and cjson.decode(text) or nil
end

local function put_state(url, site, state)
    redis.call('HSET', URLS, url, cjson.encode(state))
    redis.call('SADD', urls_of(site), url)
    redis.call('SADD', SITES, site)
    if state.version > 0 then redis.call('ZADD', visited_of(site), state.last, url) end
end

local function time_now()
    local time = redis.call('TIME')
    return tonumber(time[1]) + tonumber(time[2]) / 1e6
end

-- A writer's fence is '' or the token of its lease, a blank and the name of the site that it holds. Gives an error where
-- the lease does not hold any more.
local function lost_lease(fence)
    if fence == '' then return nil end
    local token, name = string.match(fence, '^(%d+) (.*)$')
    if redis.call('HGET', TOKENS, name) == token then return nil end
    return redis.error_reply('LEASELOST ' .. name)
end

local function end_lease(name)
    local text = redis.call('HGET', OWNERS, name)
    if not text then return end
    local id = cjson.decode(text).id
    redis.call('XACK', QUEUE, GROUP, id)
    redis.call('XDEL', QUEUE, id)
    redis.call('HDEL', OWNERS, name)
    redis.call('HDEL', TOKENS, name)
end

local function drop_signature(url)
    local text = redis.call('HGET', DOCUMENTS, url)
    if not text then return end
    local old, stories = cjson.decode(text), open_table(STORIES)
    local number = struct.pack('>I4', old.number)
    for start = 1, #old.keys, 16 do
        local hex = string.sub(old.keys, start, start + 15)
        local key = hex:gsub('..', function(pair) return string.char(tonumber(pair, 16)) end)
        take_short(stories, key, 4, function(other) return other == number end)
    end
    close_table(stories)
    redis.call('HDEL', DOCUMENTS, url)
    redis.call('HDEL', DOCUMENT_URLS, old.number)
    redis.call('HDEL', DOCUMENT, old.number)
end

local function put_signature(url, site, recorded, keys, data)
    drop_signature(url)
    local number = redis.call('INCR', P .. 'document-number')
    local hex = keys:gsub('.', function(c) return string.format('%02x', string.byte(c)) end)
    local document = {number = number, site = site, recorded = recorded, keys = hex}
    redis.call('HSET', DOCUMENTS, url, cjson.encode(document))
    redis.call('HSET', DOCUMENT_URLS, number, url)
    redis.call('HSET', DOCUMENT, number, data)
    local stories = open_table(STORIES)
    local packed = struct.pack('>I4', number)
    for _, key in ipairs(pieces(keys, 8)) do append_short(stories, key, packed) end
    close_table(stories)
end

local function release(url)
    local meta = redis.call('HGET', HELD, url)
    if not meta then return end
    redis.call('HDEL', HELD, url)
    redis.call('HDEL', RESPONSES, url)
    redis.call('ZREM', HOLDS, url)
    redis.call('ZREM', holds_of(cjson.decode(meta).site), url)
end

-- Put an article's entry at the end of the outbox.
local function append(url, site, meta)
    meta.cursor = redis.call('INCR', CURSOR)
    redis.call('HSET', META, url, cjson.encode(meta))
    redis.call('ZADD', OUTBOX, meta.cursor, url)
    redis.call('ZADD', outbox_of(site), meta.cursor, url)
    return meta.cursor
end
