-- Moves an entry that cannot be processed to the dead-letter stream, together with its error. So it does not stop the
-- others. A dead letter names the entry. Only of a task it has the fields as well, because nothing else has them.
-- Running it again changes nothing.
--
-- KEYS[1]  a stream
-- KEYS[2]  the dead-letter stream
-- KEYS[3]  index of the stream; only if KEYS[1] has tasks or postponed entries
-- ARGV[1]  consumer group
-- ARGV[2]  entry id
-- ARGV[3]  the error
-- ARGV[4]  most entries in the dead-letter stream, roughly
-- Returns  { "1" }, or { "0" } when it had been moved or acknowledged before
-- Cost     O(log N)

if #redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1) == 0 then
  return { '0' }
end
local task = {}
if KEYS[3] then
  local found = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
  task = found and found[2] or {}
end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'stream', KEYS[1], 'entry', ARGV[2], 'error', ARGV[3],
  unpack(task))
-- The acknowledgement comes last: Redis refuses the first write when it is full, and nothing has changed then.
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
if KEYS[3] then
  redis.call('XDEL', KEYS[1], ARGV[2])
  redis.call('ZREM', KEYS[3], ARGV[2])
end
return { '1' }
