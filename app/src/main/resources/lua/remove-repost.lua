-- Removes a repost from the reposts of a post, unless its user has another one there. Running it again answers the same.
--
-- KEYS[1]  the reposts of the post: user id and id of the repost
-- ARGV[1]  user id
-- ARGV[2]  id of the repost
-- Returns  { "1" }: the repost is not there
-- Cost     O(1)

if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then
  redis.call('HDEL', KEYS[1], ARGV[1])
end
return { '1' }
