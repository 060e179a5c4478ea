-- Written for cleancrawl. ARGV: url, visit (JSON), fence. Also page_rules.after_visit.
local lost = lost_lease(ARGV[3])
if lost then return lost end
local url, visit = ARGV[1], cjson.decode(ARGV[2])
local state = state_of(url) or {
    site = visit.site, page = 0, first = visit.fetched, content = '0000000000000000', version = 0, visits = 0, changes = ''}
-- Before the time of the last visit is lost. Also page_rules.misses.
local misses = state.misses or 0
if visit.reason == GONE then
    if misses == 0 or not visit.run or tonumber(state.last) < tonumber(visit.run) then misses = misses + 1 end
elseif visit.status < 400 then
    misses = 0
end
state.misses = misses > 0 and misses or nil
state.last, state.status = visit.fetched, visit.status
state.etag, state.modified = visit.etag or state.etag, visit.modified or state.modified
if visit.status ~= 304 then state.reason = visit.reason end
if visit.status < 400 and visit.reason ~= GONE then state.visits = state.visits + 1 end
put_state(url, state.site, state)
