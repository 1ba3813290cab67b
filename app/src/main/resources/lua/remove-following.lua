-- Unfollows a user. Running it again changes nothing.
--
-- KEYS[1]  the users whom the follower follows
-- ARGV[1]  user id
-- Returns  { ms of the follow }, or {} when the user was not followed
-- Cost     O(log N)

local since = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not since then
  return {}
end
redis.call('ZREM', KEYS[1], ARGV[1])
return { since }
