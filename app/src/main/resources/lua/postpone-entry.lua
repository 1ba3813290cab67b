-- Postpones a log entry that needs a node that is away. All of the entry moves to a stream of its own, so the log can be
-- trimmed past it. Running it again changes nothing.
--
-- KEYS[1]  the commit log
-- KEYS[2]  stream of postponed entries
-- KEYS[3]  postponed entries, by their ms
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  entry id
-- Returns  { "1" }, or { "0" } when the entry is done or was postponed before
-- Cost     O(log N)

local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
if #pending == 0 or not entry then
  return { '0' }
end
-- The acknowledgement comes last: Redis refuses the first write when it is full, and nothing has changed then.
local id = redis.call('XADD', KEYS[2], '*', 'entry', ARGV[2], unpack(entry[2]))
redis.call('ZADD', KEYS[3], string.match(ARGV[2], '^%d+'), id)
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
return { '1' }
