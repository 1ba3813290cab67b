-- Reads a list of an archived post, and when it was last used.
--
-- KEYS[1]  the list
-- KEYS[2]  its mark
-- ARGV[1]  most members
-- Returns  { mark, or nothing; "kept" when the list expires or has more members, else ""; members, each before its score }
-- Cost     O(log N + M)

local answer = { redis.call('GET', KEYS[2]) or '', '' }
if redis.call('TTL', KEYS[1]) >= 0 or redis.call('ZCARD', KEYS[1]) > tonumber(ARGV[1]) then
  answer[2] = 'kept'
  return answer
end
for i, part in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')) do
  answer[i + 2] = part
end
return answer
