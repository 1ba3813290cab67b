-- The commit of a log-out: every session made under this generation is over. A generation that has moved on already is
-- left alone, so a repeated log-out never ends a newer session. Nothing is written once another lease than the caller's
-- guards the user.
--
-- KEYS[1]  the user
-- KEYS[2]  its fence
-- ARGV[1]  the generation of the session that asks
-- ARGV[2]  the caller's lease
-- Returns  { "1" } when it moved on now, { "0" } when it had before, or {} when the lease is over

if redis.call('HGET', KEYS[1], 'auth') ~= ARGV[1] then
  return { '0' }
end
if redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return {}
end
redis.call('HINCRBY', KEYS[1], 'auth', 1)
return { '1' }
