-- Adds a member to a list of an archived post, or takes it out. If the list is in the archive, that is noted in a list of
-- changes, which is made one with the list when that comes back: a member that is taken out has a score below zero.
--
-- KEYS[1]  the list
-- KEYS[2]  its mark: ms of its last use, or "-" and a nonce while only changes of it are here
-- ARGV[1]  ms of now
-- ARGV[2]  most members, or most changes while only these are here; what was taken out goes first, then the oldest
-- ARGV[3]  member
-- ARGV[4]  its score; nothing to take it out
-- ARGV[5]  a nonce
-- Returns  { "1" }
-- Cost     O(log N + M)

local used = redis.call('GET', KEYS[2])
local here = used and string.sub(used, 1, 1) ~= '-'
if not used then
  redis.call('SET', KEYS[2], '-' .. ARGV[5])
elseif here and tonumber(ARGV[1]) > tonumber(used) then
  redis.call('SET', KEYS[2], ARGV[1])
end
if ARGV[4] ~= '' then
  if (redis.call('ZSCORE', KEYS[1], ARGV[3]) or '-1') == '-1' then
    redis.call('ZADD', KEYS[1], ARGV[4], ARGV[3])
  end
elseif here then
  redis.call('ZREM', KEYS[1], ARGV[3])
else
  redis.call('ZADD', KEYS[1], '-1', ARGV[3])
end
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[2])
return { '1' }
