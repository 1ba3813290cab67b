-- Stores the next state of a token bucket if its state is still the one that the caller knows. Run twice, the second run
-- changes nothing and answers the stored state; the caller then counts once more.
--
-- KEYS[1]  the bucket
-- ARGV[1]  the state that the caller knows; empty for a bucket that is not stored
-- ARGV[2]  the next state
-- ARGV[3]  after how many ms the bucket is full and needs no key
-- Returns  nothing when the state was stored; else the state that the bucket has, empty for none

local state = redis.call('GET', KEYS[1]) or ''
if state ~= ARGV[1] then
  return { state }
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return {}
