-- The commit of a log-out: every session made under this generation is over. A generation that
-- has moved on already is left alone, so a repeated log-out never ends a newer session.
--
-- KEYS[1]  the user
-- ARGV[1]  the generation of the session that asks
-- Returns  { "1" } when it moved on now, { "0" } when it had before

if redis.call('HGET', KEYS[1], 'auth') ~= ARGV[1] then
  return { '0' }
end
redis.call('HINCRBY', KEYS[1], 'auth', 1)
return { '1' }
