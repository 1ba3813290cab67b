-- Announces that somebody begins to build a home timeline. Until it is finished, changes to the timeline are collected
-- in a list, and pages find no timeline. Running it again answers the same.
--
-- KEYS[1]  the timeline
-- KEYS[2]  its mark, see begin-timeline.lua
-- KEYS[3]  the list of changes; its first element is the builder
-- ARGV[1]  the builder, a random text
-- ARGV[2]  how long building may take, in ms
-- ARGV[3]  after how many ms another builder may take over
-- Returns  { "1" }, or { "0" } when the timeline exists or somebody else is building it
-- Cost     O(N)

if redis.call('LRANGE', KEYS[3], 0, 0)[1] == ARGV[1] then
  return { '1' }
end
if redis.call('ZCARD', KEYS[1]) > 0 or redis.call('PTTL', KEYS[3]) > tonumber(ARGV[2]) - tonumber(ARGV[3]) then
  return { '0' }
end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('RPUSH', KEYS[3], ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return { '1' }
