-- Removes a member from a list if it still has the score that the repair has seen. A member that was added again stays.
--
-- KEYS[1]  the list
-- ARGV[1]  member
-- ARGV[2]  score
-- Returns  { "1" } the member is gone, { "0" } it was added again
-- Cost     O(log N)

local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not score then
  return { '1' }
end
if tonumber(score) ~= tonumber(ARGV[2]) then
  return { '0' }
end
redis.call('ZREM', KEYS[1], ARGV[1])
return { '1' }
