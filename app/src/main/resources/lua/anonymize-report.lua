-- Keeps a user's report of a post, but no longer says who reported it. Running it again answers the same.
--
-- KEYS[1]  the reports of the post, by user
-- ARGV[1]  id of the user
-- ARGV[2]  a random text that stands for the user
-- Returns  { "1" }: the user has no report of the post
-- Cost     O(1)

local report = redis.call('HGET', KEYS[1], ARGV[1])
if report then
  redis.call('HSET', KEYS[1], ARGV[2], report)
  redis.call('HDEL', KEYS[1], ARGV[1])
end
return { '1' }
