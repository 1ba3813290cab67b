-- Trims the commit log to the entries kept for resuming streams, but never past what the workers
-- have not finished: the oldest pending entry, or the first that was not delivered yet, or the oldest with an unfinished
-- piece.
--
-- KEYS[1]  the commit log
-- KEYS[2]  unfinished pieces by the ms of their entry
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  entries to keep
-- ARGV[3]  most entries to trim in one call
-- Returns  { entries trimmed }

local excess = redis.call('XLEN', KEYS[1]) - tonumber(ARGV[2])
if excess <= 0 then
  return { '0' }
end
local entries = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', math.min(excess, tonumber(ARGV[3])) + 1)

local function parts(id)
  local ms, seq = string.match(id, '^(%d+)%-(%d+)$')
  return tonumber(ms), tonumber(seq)
end
local function less(a, b)
  local am, as = parts(a)
  local bm, bs = parts(b)
  return am < bm or (am == bm and as < bs)
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
local piece = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
if piece and (not floor or less(piece .. '-0', floor)) then
  floor = piece .. '-0'
end
local minimum = entries[#entries][1]
if floor and less(floor, minimum) then
  minimum = floor
end
return { tostring(redis.call('XTRIM', KEYS[1], 'MINID', minimum)) }
