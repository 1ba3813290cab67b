-- Notes that a list of an archived post is needed, so that it stays in Redis for a while. A list that is not here has to
-- be brought back first.
--
-- KEYS[1]  the mark of the list: ms of its last use, or "-" and a nonce while only changes of it are here
-- ARGV[1]  ms of now
-- ARGV[2]  a nonce
-- Returns  { "here" }, or { "away", mark } when the list has to be brought back
-- Cost     O(1)

local used = redis.call('GET', KEYS[1])
if not used then
  used = '-' .. ARGV[2]
  redis.call('SET', KEYS[1], used)
end
if string.sub(used, 1, 1) == '-' then
  return { 'away', used }
end
if tonumber(ARGV[1]) > tonumber(used) then
  redis.call('SET', KEYS[1], ARGV[1])
end
return { 'here' }
