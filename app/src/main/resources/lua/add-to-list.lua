-- Adds a post to a list with a bound. The list never exceeds its bound, not even for a moment: a single entry more
-- would make Redis switch to its larger encoding, and it never switches back. Running it again changes nothing.
--
-- KEYS[1]  the list
-- ARGV[1]  most entries
-- ARGV[2]  score, ms of the commit
-- ARGV[3]  post id
-- ARGV[4]  ms that a post stays in the list; when this is left out, it stays as long as there is room
-- Returns  { "1" } when the post is in the list now, { "0" } when the list is full and all its posts are newer
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
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
if ARGV[4] then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[2] - ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
end
return { '1' }
