-- Trims the commit log to what is kept for resuming streams: young entries, and the entry before them, because a page
-- made back then may still hold its position. There is also a bound on the number of entries. Entries that the workers
-- have not begun are never trimmed, that is, from the oldest pending entry on, or from the first one that was not
-- delivered. An entry that was split counts as begun, because its tasks describe all of it. The newest entry is never
-- trimmed, so that every position refers to an entry.
--
-- KEYS[1]  the commit log
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  maximum age of entries that are kept, in ms
-- ARGV[3]  most entries that are kept for their age
-- ARGV[4]  most entries to trim in one call
-- Returns  { number of entries trimmed }
-- Cost     O(M)

local function parts(id)
  local ms, seq = string.match(id, '^(%d+)%-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local function less(a, b)
  local am, as = parts(a)
  local bm, bs = parts(b)
  return am < bm or (am == bm and as < bs)
end

local length = redis.call('XLEN', KEYS[1])
local time = redis.call('TIME')
local young = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[2])
local most = math.min(tonumber(ARGV[4]), length - 1)
local entries = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', most + 2)
local function isOld(entry)
  return entry and parts(entry[1]) < young
end
local trimmed = 0
while trimmed < most and (trimmed < length - tonumber(ARGV[3]) or isOld(entries[trimmed + 2])) do
  trimmed = trimmed + 1
end
if trimmed <= 0 then
  return { '0' }
end

local floor
local pending = redis.call('XPENDING', KEYS[1], ARGV[1])
if pending[1] > 0 then
  floor = pending[2]
else
  for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
    local info = {}
    for i = 1, #group, 2 do
      info[group[i]] = group[i + 1]
    end
    if info['name'] == ARGV[1] then
      floor = info['last-delivered-id']
    end
  end
end
local minimum = entries[trimmed + 1][1]
if floor and less(floor, minimum) then
  minimum = floor
end
return { tostring(redis.call('XTRIM', KEYS[1], 'MINID', minimum)) }
