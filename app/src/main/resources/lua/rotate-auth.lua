-- Commits a log-out: every session of this auth generation is over. If the generation has already moved on, nothing
-- changes, so a repeated log-out never ends a newer session. Nothing is written when the caller's lease no longer
-- guards the user.
--
-- KEYS[1]  the user
-- KEYS[2]  fence of the user
-- ARGV[1]  auth generation of the session that asks
-- ARGV[2]  owner of the caller's lease
-- Returns  { "1" } when the generation moved on now, { "0" } when it had before, {} when the lease is over

if redis.call('HGET', KEYS[1], 'auth') ~= ARGV[1] then
  return { '0' }
end
if redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return {}
end
redis.call('HINCRBY', KEYS[1], 'auth', 1)
return { '1' }
