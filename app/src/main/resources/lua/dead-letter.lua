-- Moves an entry that cannot be processed to the dead-letter stream, together with its error. So it does not stop the
-- others. Running it again changes nothing.
--
-- KEYS[1]  a stream
-- KEYS[2]  the dead-letter stream
-- KEYS[3]  index of unfinished tasks, only if KEYS[1] is the stream of tasks
-- ARGV[1]  consumer group
-- ARGV[2]  entry id
-- ARGV[3]  the error
-- ARGV[4]  most entries in the dead-letter stream, roughly
-- Returns  { "1" }, or { "0" } when it had been moved or acknowledged before
-- Cost     O(log N)

if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return { '0' }
end
if KEYS[3] then
  redis.call('XDEL', KEYS[1], ARGV[2])
  redis.call('ZREM', KEYS[3], ARGV[2])
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'stream', KEYS[1], 'entry', ARGV[2], 'error', ARGV[3])
return { '1' }
