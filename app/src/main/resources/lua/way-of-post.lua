-- Finds the entry of a post in the commit log, and how far the workers are with it.
--
-- KEYS[1]  the commit log
-- KEYS[2]  unfinished tasks, by the ms of their entry
-- KEYS[3]  postponed entries, by their ms
-- KEYS[4]  the dead-letter stream
-- ARGV[1]  ms of the commit
-- ARGV[2]  post id
-- ARGV[3]  consumer group of the workers
-- Returns  { entry id, id and nonce of the entry before, last entry that a worker has taken, "1" while a worker is at
--          work on the entry, number of unfinished tasks, which is 1 for a postponed entry, "1" when the entry or a task
--          of it is among the newest dead letters, then the entry's field names and values }; {} when the log does not
--          have the entry any more
-- Cost     O(log N + M)

for _, entry in ipairs(redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])) do
  local fields = {}
  for i = 1, #entry[2], 2 do
    fields[entry[2][i]] = entry[2][i + 1]
  end
  if fields.type == 'post' and fields.post == ARGV[2] then
    local before = redis.call('XREVRANGE', KEYS[1], '(' .. entry[1], '-', 'COUNT', 1)[1]
    local taken = '0-0'
    for _, group in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
      local facts = {}
      for i = 1, #group, 2 do
        facts[group[i]] = group[i + 1]
      end
      if facts.name == ARGV[3] then
        taken = facts['last-delivered-id']
      end
    end
    local pending = taken ~= '0-0' and redis.call('XPENDING', KEYS[1], ARGV[3], entry[1], entry[1], 1) or {}
    local dead = '0'
    for _, letter in ipairs(redis.call('XREVRANGE', KEYS[4], '+', '-', 'COUNT', 100)) do
      -- A letter begins with stream, entry and error. A task and a postponed entry follow, and begin with their entry.
      local origin = letter[2][2] == KEYS[1] and letter[2][4] or letter[2][8]
      if origin == entry[1] then
        dead = '1'
      end
    end
    local tasks = redis.call('ZCOUNT', KEYS[2], ARGV[1], ARGV[1]) + redis.call('ZCOUNT', KEYS[3], ARGV[1], ARGV[1])
    local answer = { entry[1], before and before[1] .. '.' .. before[2][2] or '0-0', taken,
      #pending > 0 and '1' or '0', tostring(tasks), dead }
    for _, text in ipairs(entry[2]) do
      answer[#answer + 1] = text
    end
    return answer
  end
end
return {}
