-- An entry cannot be done: it is kept with its error where somebody looks, and stops no other. Sent again it changes
-- nothing.
--
-- KEYS[1]  a stream
-- KEYS[2]  stream of what cannot be done
-- KEYS[3]  of pieces those that are unfinished, if it is a piece
-- ARGV[1]  consumer group
-- ARGV[2]  entry id
-- ARGV[3]  the error
-- ARGV[4]  what is kept of those that cannot be done
-- Returns  { "1" }, or { "0" } when that was known

if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return { '0' }
end
if KEYS[3] then
  redis.call('XDEL', KEYS[1], ARGV[2])
  redis.call('ZREM', KEYS[3], ARGV[2])
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'stream', KEYS[1], 'entry', ARGV[2], 'error', ARGV[3])
return { '1' }
