-- Gives an entry that was put aside back to the workers, and removes its dead letter. Running it again changes nothing.
--
-- KEYS[1]  the dead-letter stream
-- KEYS[2]  the commit log
-- KEYS[3]  stream of tasks
-- KEYS[4]  unfinished tasks, by the ms of their entry
-- KEYS[5]  stream of postponed entries
-- KEYS[6]  postponed entries, by their ms
-- ARGV[1]  id of the dead letter
-- ARGV[2]  consumer group of the workers
-- ARGV[3]  consumer of the entries that were left for later
-- ARGV[4]  how long the entry counts as left alone, in ms; the workers take it when they look the next time
-- Returns  { "1" }, or { "0" } when there is no such letter, or nothing has what its entry asked for any more
-- Cost     O(log N)

local letter = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])[1]
if not letter then
  return { '0' }
end
-- The fields of a letter: stream, entry, error, then those of its task.
local fields = letter[2]
if fields[2] == KEYS[2] then
  local claimed = redis.call('XCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, fields[4], 'IDLE', ARGV[4], 'FORCE', 'JUSTID')
  if #claimed == 0 then
    return { '0' }
  end
elseif fields[7] then
  local task = { unpack(fields, 7) }
  -- A worker may have done a part of it, as of an entry that was left alone.
  if task[#task - 1] ~= 'tried' then
    task[#task + 1] = 'tried'
    task[#task + 1] = '1'
  end
  local stream = fields[2] == KEYS[5] and 5 or 3
  local id = redis.call('XADD', KEYS[stream], '*', unpack(task))
  redis.call('ZADD', KEYS[stream + 1], string.match(fields[8], '^%d+'), id)
else
  return { '0' }
end
redis.call('XDEL', KEYS[1], ARGV[1])
return { '1' }
