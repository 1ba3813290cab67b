-- Tells the newest entry of the commit log; a log without entries gets its first one, so that
-- every position names an entry.
--
-- KEYS[1]  the commit log
-- ARGV[1]  nonce for a first entry
-- Returns  { id, nonce }

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
