-- Remembers the session that a user has opened in a browser. When there are too many browsers, the one in which the
-- user has not logged in for the longest time is forgotten. A log-in with a former password makes no browser known. Only
-- the first run knows the session that was there before, and its caller ends that session.
--
-- KEYS[1]  the user's browsers
-- ARGV[1]  hash of the browser's cookie
-- ARGV[2]  hash of the session's token
-- ARGV[3]  the current time, in ms
-- ARGV[4]  most browsers
-- ARGV[5]  how long they are remembered, in seconds
-- ARGV[6]  auth generation of the session
-- Returns  the hash of the token of the session that was in this browser before; nothing when there was none, or the same
-- Cost     O(N)

if tonumber(redis.call('HGET', KEYS[1], 'generation') or 0) > tonumber(ARGV[6]) then
  return {}
end
local before = string.match(redis.call('HGET', KEYS[1], ARGV[1]) or '', '^%S+')
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[5])
while redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], 'generation') > tonumber(ARGV[4]) do
  local all = redis.call('HGETALL', KEYS[1])
  local oldest, since
  for i = 1, #all, 2 do
    local time = tonumber(string.match(all[i + 1], '%d+$'))
    if all[i] ~= ARGV[1] and all[i] ~= 'generation' and (not since or time < since) then
      oldest, since = all[i], time
    end
  end
  redis.call('HDEL', KEYS[1], oldest)
end
return (before and before ~= ARGV[2]) and { before } or {}
