-- Splits a log entry that is much work into tasks, which any instance can take. This is one atomic step, so each entry
-- is split once and nothing is lost. The tasks take the place of the entry, also when it was postponed.
--
-- KEYS[1]  the commit log
-- KEYS[2]  stream of tasks
-- KEYS[3]  unfinished tasks, by the ms of their entry
-- KEYS[4]  stream of postponed entries
-- KEYS[5]  postponed entries, by their ms
-- ARGV[1]  consumer group of the workers
-- ARGV[2]  entry id
-- ARGV[3]  type of the entry
-- ARGV[4]  post id
-- ARGV[5]  user id of the author
-- ARGV[6]  where the tasks' ranges of follow times begin, in ms, ascending; a range ends where the next one begins, and
--          the last one has no end
-- Returns  { number of tasks added }, "0" when the entry was split before
-- Cost     O(M log N)

local millis = string.match(ARGV[2], '^%d+')

local function postponed()
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], millis, millis)) do
    local entry = redis.call('XRANGE', KEYS[4], id, id)[1]
    if entry and entry[2][2] == ARGV[2] then
      return id
    end
  end
end

-- After a fail-over the group may be lost, which is an error.
local pending = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
local in_log = not pending.err and #pending > 0
local waits = not in_log and postponed()
if not in_log and not waits then
  return { '0' }
end
for i = 6, #ARGV do
  local id = redis.call('XADD', KEYS[2], '*', 'entry', ARGV[2], 'type', ARGV[3], 'post', ARGV[4], 'user', ARGV[5],
    'from', ARGV[i], 'until', ARGV[i + 1] or '')
  redis.call('ZADD', KEYS[3], millis, id)
end
-- The acknowledgement comes last: Redis refuses the first write when it is full, and nothing has changed then.
if in_log then
  redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
else
  redis.call('XACK', KEYS[4], ARGV[1], waits)
  redis.call('ZREM', KEYS[5], waits)
  redis.call('XDEL', KEYS[4], waits)
end
return { tostring(#ARGV - 5) }
