-- Stores a run of the lab, and deletes the oldest runs beyond the bound. Running it again changes nothing.
--
-- KEYS[1]  the list of runs
-- KEYS[2]  the run
-- ARGV[1]  id of the run
-- ARGV[2]  score, ms of its start
-- ARGV[3]  most runs
-- ARGV[4]  prefix of the keys of runs, before the id; all runs are in one slot
-- ARGV[5]  summary of the run
-- ARGV[6]  report of the run
-- Returns  { "1" }
-- Cost     O(M log N)

redis.call('HSET', KEYS[2], 'head', ARGV[5], 'report', ARGV[6])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
for _, oldest in ipairs(redis.call('ZRANGE', KEYS[1], 0, -tonumber(ARGV[3]) - 1)) do
  redis.call('DEL', ARGV[4] .. oldest)
  redis.call('ZREM', KEYS[1], oldest)
end
return { '1' }
