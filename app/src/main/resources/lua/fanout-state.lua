-- Reports how far fan-out is, and how much waits for it.
--
-- KEYS[1]  the commit log
-- KEYS[2]  unfinished tasks, by the ms of their entry
-- KEYS[3]  postponed entries, by their ms
-- KEYS[4]  the dead-letter stream
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  most entries in progress to list, and most entries with tasks or postponed
-- ARGV[3]  ms after which the list of the latter begins, "-inf" for the first call
-- Returns  { number of entries from the oldest one on that is not done, and of unfinished tasks and postponed entries,
--          number of dead-letter entries, ms since the oldest waiting one was committed (0 for none), id up to which all
--          entries are done except the listed ones, id of the last entry that a worker has taken, "1" if there are more
--          of the latter than this call lists, number of entries in progress listed, their ids, then the ms of each entry
--          that has an unfinished task or is postponed, ascending }
-- Cost     O(M log N)

local call = redis.call
local most = tonumber(ARGV[2])

local function parts(id)
  local ms, seq = string.match(id, '^(%d+)%-?(%d*)$')
  return tonumber(ms), tonumber(seq) or 0
end
local function earlier(a, b)
  local am, as = parts(a)
  local bm, bs = parts(b)
  return (am < bm or (am == bm and as < bs)) and a or b
end
local function number(entry)
  return entry and entry[2][3] == 'n' and tonumber(entry[2][4]) or 0
end

local delivered
for _, group in ipairs(call('XINFO', 'GROUPS', KEYS[1])) do
  local info = {}
  for i = 1, #group, 2 do
    info[group[i]] = group[i + 1]
  end
  if info['name'] == ARGV[1] then
    delivered = info['last-delivered-id']
  end
end
local upTo = delivered or '0-0'

local pending = delivered and call('XPENDING', KEYS[1], ARGV[1])[1] or 0
local named = {}
for _, entry in ipairs(pending > 0 and call('XPENDING', KEYS[1], ARGV[1], '-', '+', most) or {}) do
  named[#named + 1] = entry[1]
end
if pending > #named then
  upTo = earlier(upTo, named[#named])
end

-- Entries with tasks and postponed entries, in one list. An entry may have hundreds of tasks.
local function task_after(millis)
  return call('ZRANGEBYSCORE', KEYS[2], '(' .. millis, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
end
local elsewhere = {}
local postponed = call('ZRANGEBYSCORE', KEYS[3], '(' .. ARGV[3], '+inf', 'WITHSCORES', 'LIMIT', 0, most)
local cut = #postponed == 2 * most
local place = 2
local task = task_after(ARGV[3])
while #elsewhere < most and (postponed[place] or (task and not cut)) do
  local millis = postponed[place] or task
  if task and tonumber(task) < tonumber(millis) then
    millis = task
  end
  elsewhere[#elsewhere + 1] = millis
  while postponed[place] == millis do
    place = place + 2
  end
  if task == millis then
    task = task_after(millis)
  end
end
local more = cut or postponed[place] or task

local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local first = call('XRANGE', KEYS[1], named[1] and earlier(named[1], upTo) or '(' .. upTo, '+', 'COUNT', 1)[1]
local last = call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local waiting = (first and number(last) - number(first) + 1 or 0) + call('ZCARD', KEYS[2]) + call('ZCARD', KEYS[3])
local oldest = now
for _, id in ipairs({ elsewhere[1] or false, first and first[1] or false }) do
  if id then
    oldest = math.min(oldest, (parts(id)))
  end
end

local answer = { string.format('%.0f', waiting), tostring(call('XLEN', KEYS[4])),
  string.format('%.0f', now - oldest), upTo, delivered or '0-0', more and '1' or '0', tostring(#named), unpack(named) }
for _, millis in ipairs(elsewhere) do
  answer[#answer + 1] = millis
end
return answer
