-- Lets the directory of a deleted user's followers expire, once all followers are removed. Writes that are still
-- in progress can update it until then.
--
-- KEYS[1]  directory of the shards
-- ARGV[1]  how long it is kept, in seconds
-- Returns  {}
-- Cost     O(1)

redis.call('HINCRBY', KEYS[1], 'removed', 0)
if redis.call('TTL', KEYS[1]) < 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[1])
end
return {}
