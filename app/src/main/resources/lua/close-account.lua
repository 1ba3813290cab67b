-- Commits the deletion of an account. From now on the user does not exist, and all sessions are over. Workers remove
-- the rest of the data later. Nothing is written when the caller's lease no longer guards the user. If the account is
-- deleted already, the answer is the same, because the first answer may have been lost.
--
-- KEYS[1]  the user
-- KEYS[2]  fence of the user
-- ARGV[1]  auth generation of the session that asks
-- ARGV[2]  owner of the caller's lease
-- ARGV[3]  the current time, in ms
-- Returns  { "1" } when the account is deleted, { "0" } when the session is over, {} when the lease is over
-- Cost     O(1)

if redis.call('HGET', KEYS[1], 'state') == 'deleted' then
  return { '1' }
end
if redis.call('HGET', KEYS[1], 'auth') ~= ARGV[1] then
  return { '0' }
end
if redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return {}
end
redis.call('HSET', KEYS[1], 'state', 'deleted', 'deleted', ARGV[3])
redis.call('HINCRBY', KEYS[1], 'auth', 1)
redis.call('HDEL', KEYS[1], 'password', 'name', 'bio', 'picture', 'active')
return { '1' }
