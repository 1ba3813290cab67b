-- Brings a list of an archived post back, as the archive has it, and makes the changes of the meantime. Does nothing when
-- somebody else was faster, or when the list was away once more since it was asked for.
--
-- KEYS[1]  the list, with the changes
-- KEYS[2]  its mark
-- ARGV[1]  ms of now
-- ARGV[2]  most members; the oldest go
-- ARGV[3]  the mark that it had before the archive was asked
-- ARGV     then the members, each before its score
-- Returns  { "1" }, or { "0" } when the list is back already
-- Cost     O(M log N)

if redis.call('GET', KEYS[2]) ~= ARGV[3] then
  return { '0' }
end
for i = 4, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], 'NX', ARGV[i + 1], ARGV[i])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(0')
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[2])
redis.call('SET', KEYS[2], ARGV[1])
return { '1' }
