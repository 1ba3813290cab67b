-- Follows a user, within the limit. Running it again changes nothing.
--
-- KEYS[1]  the users whom the follower follows
-- ARGV[1]  user id to follow
-- ARGV[2]  score, ms of the follow
-- ARGV[3]  most users whom one user may follow
-- Returns  { "1", score } when it was added now, or earlier by the same request; { "0", score } when it was followed
--          before; { "full" } when the limit is reached

local since = redis.call('ZSCORE', KEYS[1], ARGV[1])
if since then
  return { tonumber(since) == tonumber(ARGV[2]) and '1' or '0', since }
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then
  return { 'full' }
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return { '1', ARGV[2] }
