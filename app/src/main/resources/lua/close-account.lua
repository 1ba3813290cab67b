-- The commit of an account's deletion: from here on there is no such user, and every session is over. What is left of it is
-- cleared away by the workers. Nothing is written once another lease than the caller's guards the user; an answer that
-- was lost is given again all the same.
--
-- KEYS[1]  the user
-- KEYS[2]  its fence
-- ARGV[1]  the generation of the session that asks
-- ARGV[2]  the caller's lease
-- ARGV[3]  now, in ms
-- Returns  { "1" } when it is deleted, { "0" } when the session is over, or {} when the lease is over

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
redis.call('HDEL', KEYS[1], 'password', 'name', 'bio', 'active')
return { '1' }
