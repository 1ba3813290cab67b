-- Keeps a run of the lab, and forgets the oldest ones beyond the bound. Sent again it changes nothing.
--
-- KEYS[1]  the list of runs
-- KEYS[2]  the run
-- ARGV[1]  its id
-- ARGV[2]  score, ms of its beginning
-- ARGV[3]  most runs
-- ARGV[4]  what the names of runs begin with, before the id; all are in one slot
-- ARGV[5]  the run in short
-- ARGV[6]  its report
-- Returns  { "1" }

redis.call('HSET', KEYS[2], 'head', ARGV[5], 'report', ARGV[6])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
for _, oldest in ipairs(redis.call('ZRANGE', KEYS[1], 0, -tonumber(ARGV[3]) - 1)) do
  redis.call('DEL', ARGV[4] .. oldest)
  redis.call('ZREM', KEYS[1], oldest)
end
return { '1' }
