-- Adds a notification to a user's list. The list never exceeds its bound. A notification that comes late counts as newer
-- than all that the user has read. Otherwise it would look as if it had been read, too. Running it again changes nothing.
--
-- KEYS[1]  the user's notifications
-- KEYS[2]  the ms up to which the user has read them, in the same slot
-- ARGV[1]  most notifications
-- ARGV[2]  score, ms of the commit
-- ARGV[3]  the notification
-- Returns  { "1" } when it is in the list now, { "0" } when the list is full and all of it is newer
-- Cost     O(log N + M)

if redis.call('ZSCORE', KEYS[1], ARGV[3]) then
  return { '1' }
end
local size = tonumber(ARGV[1])
if redis.call('ZCARD', KEYS[1]) >= size then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  if tonumber(ARGV[2]) < tonumber(oldest[2]) then
    return { '0' }
  end
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -size)
end
local read = redis.call('GET', KEYS[2]) or '0'
redis.call('ZADD', KEYS[1], string.format('%.0f', math.max(tonumber(ARGV[2]), tonumber(read) + 1)), ARGV[3])
return { '1' }
