-- Adds a user to a list of users, within the limit of the list. Running it again changes nothing.
--
-- KEYS[1]  the list, such as the users whom a follower follows
-- ARGV[1]  user id to add
-- ARGV[2]  score, ms of now
-- ARGV[3]  most users in the list
-- Returns  { "1", score } when it was added now, or earlier by the same request; { "0", score } when it was there
--          before; { "full" } when the limit is reached
-- Cost     O(log N)

local since = redis.call('ZSCORE', KEYS[1], ARGV[1])
if since then
  return { tonumber(since) == tonumber(ARGV[2]) and '1' or '0', since }
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  return { 'full' }
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return { '1', ARGV[2] }
