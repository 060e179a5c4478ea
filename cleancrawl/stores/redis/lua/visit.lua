-- Written for cleancrawl. ARGV: url, visit (JSON). Also page_rules.after_visit.
local url, visit = ARGV[1], cjson.decode(ARGV[2])
local state = state_of(url) or {
    site = visit.site, page = 0, first = visit.fetched, content = '0000000000000000', version = 0, visits = 0, changes = ''}
state.last, state.status = visit.fetched, visit.status
state.etag, state.modified = visit.etag or state.etag, visit.modified or state.modified
if visit.status ~= 304 then state.reason = visit.reason end
if visit.status < 400 then state.visits = state.visits + 1 end
put_state(url, state.site, state)
