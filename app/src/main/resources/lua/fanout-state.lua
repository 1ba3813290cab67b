-- The position that fan-out is complete up to, and how much is waiting for it. Complete is everything before the oldest
-- pending entry, else everything that was delivered; and nothing from the oldest entry on that has an unfinished piece.
--
-- KEYS[1]  the commit log
-- KEYS[2]  unfinished pieces by the ms of their entry
-- KEYS[3]  stream of what cannot be done
-- ARGV[1]  consumer group of the workers
-- Returns  { entries and pieces that wait or are being worked on, entries that cannot be done, ms since the oldest of those
--          that wait was committed (0 when none does), entry id, nonce }, without the last two when the log does not hold
--          such an entry

local function millis(id)
  return tonumber(string.match(id, '^%d+'))
end

local function number(entry)
  return entry and entry[2][3] == 'n' and tonumber(entry[2][4]) or 0
end

local delivered
for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local info = {}
  for i = 1, #group, 2 do
    info[group[i]] = group[i + 1]
  end
  if info['name'] == ARGV[1] then
    delivered = info['last-delivered-id']
  end
end
local pending = delivered and redis.call('XPENDING', KEYS[1], ARGV[1]) or { 0 }
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local done = delivered and redis.call('XREVRANGE', KEYS[1], delivered, '-', 'COUNT', 1)[1]
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
local undelivered = number(last) - (done and number(done) or number(first) - 1)
local waiting = string.format('%.0f', undelivered + pending[1] + redis.call('ZCARD', KEYS[2]))

local dead = tostring(redis.call('XLEN', KEYS[3]))
local complete = done
if pending[1] > 0 then
  complete = redis.call('XREVRANGE', KEYS[1], '(' .. pending[2], '-', 'COUNT', 1)[1]
end
local piece = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2]
if complete and piece and millis(complete[1]) >= tonumber(piece) then
  complete = redis.call('XREVRANGE', KEYS[1], '(' .. piece .. '-0', '-', 'COUNT', 1)[1]
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local oldest = math.min(now, tonumber(piece or now), pending[1] > 0 and millis(pending[2]) or now)
local fresh = redis.call('XRANGE', KEYS[1], delivered and '(' .. delivered or '-', '+', 'COUNT', 1)[1]
local age = string.format('%.0f', now - math.min(oldest, fresh and millis(fresh[1]) or now))
if not complete then
  return { waiting, dead, age }
end
return { waiting, dead, age, complete[1], complete[2][2] }
