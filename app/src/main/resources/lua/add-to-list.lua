-- Puts a post into a list that never holds more than its bound, not for a moment: one entry
-- more would turn the compact encoding into the plain one for good. Sent again it changes nothing.
--
-- KEYS[1]  the list
-- ARGV[1]  most entries
-- ARGV[2]  score, ms of the commit
-- ARGV[3]  post id
-- Returns  { "1" } when it is there now, { "0" } when it is older than all of a full list

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
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
return { '1' }
