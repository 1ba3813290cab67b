-- Brings a list of an archived post back, as the archive has it. What was added meanwhile stays. Does nothing when somebody
-- else was faster.
--
-- KEYS[1]  the list
-- KEYS[2]  its mark
-- ARGV[1]  ms of now
-- ARGV     then the members, each before its score
-- Returns  { "1" }, or { "0" } when the list is back already

if redis.call('GET', KEYS[2]) ~= '-' then
  return { '0' }
end
for i = 2, #ARGV, 2 do
  redis.call('ZADD', KEYS[1], 'NX', ARGV[i + 1], ARGV[i])
end
redis.call('SET', KEYS[2], ARGV[1])
return { '1' }
