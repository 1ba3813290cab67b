-- The newest posts of the public timeline. The caller names the mark of those that it has read before, and gets the posts
-- only if they have changed since.
--
-- KEYS[1]  the commit log
-- KEYS[2]  the public timeline
-- ARGV[1]  how many
-- ARGV[2]  mark of the answer that is known; empty for none
-- Returns  { mark, post id, score, post id, score, … }, or {} when the mark is the same

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
-- A post comes with an entry of the log; one that is taken out later makes the list shorter.
local mark = (last and last[1] .. ' ' .. last[2][2] or '') .. ' ' .. redis.call('ZCARD', KEYS[2])
if mark == ARGV[2] then
  return {}
end
return { mark, unpack(redis.call('ZREVRANGE', KEYS[2], 0, ARGV[1] - 1, 'WITHSCORES')) }
