-- Reads the newest posts of the public timeline. The caller passes the mark of the answer that it has, and gets posts
-- only if they have changed since then.
--
-- KEYS[1]  the commit log
-- KEYS[2]  the public timeline
-- ARGV[1]  most posts
-- ARGV[2]  mark of the answer that the caller has; empty for none
-- Returns  { mark, post id, score, post id, score, ... }, or {} when the mark is unchanged
-- Cost     O(log N + M)

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
-- A new post always comes with a new log entry. A post that is removed later makes the list shorter.
local mark = (last and last[1] .. ' ' .. last[2][2] or '') .. ' ' .. redis.call('ZCARD', KEYS[2])
if mark == ARGV[2] then
  return {}
end
return { mark, unpack(redis.call('ZREVRANGE', KEYS[2], 0, ARGV[1] - 1, 'WITHSCORES')) }
