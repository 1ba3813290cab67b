-- Commits a log-out or a change of the password: every session of this auth generation is over. If the generation has
-- already moved on, nothing changes, so a repeated log-out never ends a newer session. Nothing is written when the
-- caller's lease no longer guards the user. The marks of the last rotation and of the last change of the password are
-- stored, so that one whose answer was lost is recognised.
--
-- KEYS[1]  the user
-- KEYS[2]  fence of the user
-- ARGV[1]  auth generation of the session that asks
-- ARGV[2]  owner of the caller's lease
-- ARGV[3]  mark of this rotation, different for each
-- ARGV[4]  the new password, encoded; "" to keep the old one
-- Returns  { "1" } when this rotation has moved the generation on, { "0" } when another one had before, {} when the
--          lease is over
-- Cost     O(1)

local user = redis.call('HMGET', KEYS[1], 'auth', 'rotation')
if user[2] == ARGV[3] then
  return { '1' }
end
if user[1] ~= ARGV[1] then
  return { '0' }
end
if redis.call('GET', KEYS[2]) ~= ARGV[2] then
  return {}
end
redis.call('HINCRBY', KEYS[1], 'auth', 1)
redis.call('HSET', KEYS[1], 'rotation', ARGV[3])
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'password', ARGV[4], 'password_change', ARGV[3])
end
return { '1' }
