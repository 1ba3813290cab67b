-- Counts a post for its tag. A new tag for which there is no room takes the place of the tag with the fewest posts, and
-- goes on from its number ("space saving"). So a tag that many use gets in, however late in the hour it comes. A number
-- is too high by at most the posts of the hour divided by the most tags. Running it again counts the post again.
--
-- KEYS[1]  the tags of the hour, by number of posts
-- ARGV[1]  the tag
-- ARGV[2]  most tags
-- ARGV[3]  how long the hour is kept after the last post, in seconds
-- Returns  { "1" }
-- Cost     O(log N)

local posts = 1
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  local fewest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  redis.call('ZREM', KEYS[1], fewest[1])
  posts = posts + fewest[2]
end
redis.call('ZINCRBY', KEYS[1], posts, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return { '1' }
