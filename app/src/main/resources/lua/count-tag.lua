-- Counts a post for its tag, once. A new tag for which there is no room takes the place of the tag with the fewest posts,
-- and goes on from its number ("space saving"). So a tag that many use gets in, however late in the hour it comes. A
-- number is too high by at most the posts of the hour divided by the most tags. The second key remembers which posts
-- were counted last, so that running it again changes nothing.
--
-- KEYS[1]  the tags of the hour, by number of posts
-- KEYS[2]  the last posts that were counted, each with its tag, by time
-- ARGV[1]  the tag
-- ARGV[2]  the post
-- ARGV[3]  now, in ms
-- ARGV[4]  most tags
-- ARGV[5]  how long the hour is kept after the last post, in seconds
-- ARGV[6]  most posts to remember
-- ARGV[7]  how long they are remembered after the last one, in seconds
-- Returns  { "1" }
-- Cost     O(log N)

if redis.call('ZADD', KEYS[2], 'NX', ARGV[3], ARGV[2] .. ' ' .. ARGV[1]) == 0 then return { '1' } end
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[6]))
redis.call('EXPIRE', KEYS[2], ARGV[7])

local posts = 1
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then
  local fewest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  redis.call('ZREM', KEYS[1], fewest[1])
  posts = posts + fewest[2]
end
redis.call('ZINCRBY', KEYS[1], posts, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[5])
return { '1' }
