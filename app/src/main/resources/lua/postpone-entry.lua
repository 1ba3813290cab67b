-- Postpones a log entry that needs a node that is away. It becomes a task that describes all of the entry, so the log
-- can be trimmed past it. Running it again changes nothing.
--
-- KEYS[1]  the commit log
-- KEYS[2]  stream of tasks
-- KEYS[3]  unfinished tasks, by the ms of their entry
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  entry id
-- Returns  { number of tasks added }, "0" when the entry is done or was postponed before
-- Cost     O(log N)

local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
if not entry or redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return { '0' }
end
local id = redis.call('XADD', KEYS[2], '*', 'entry', ARGV[2], 'postponed', '1', unpack(entry[2]))
redis.call('ZADD', KEYS[3], string.match(ARGV[2], '^%d+'), id)
return { '1' }
