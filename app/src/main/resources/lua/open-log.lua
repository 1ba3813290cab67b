-- Reads the position of the newest entry of the commit log. An empty log gets its first entry, so that every position
-- refers to an entry.
--
-- KEYS[1]  the commit log
-- ARGV[1]  nonce for the first entry
-- Returns  { id, nonce }
-- Cost     O(1)

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if not last then
  local id = redis.call('XADD', KEYS[1], '*', 'nonce', ARGV[1], 'n', '1', 'type', 'start')
  return { id, ARGV[1] }
end
for i = 1, #last[2], 2 do
  if last[2][i] == 'nonce' then
    return { last[1], last[2][i + 1] }
  end
end
return { last[1], '' }
