-- Counts a post for its tag. When there are too many tags in the hour, those with the fewest posts go.
--
-- KEYS[1]  the tags of the hour, by number of posts
-- ARGV[1]  the tag
-- ARGV[2]  most tags
-- ARGV[3]  how long the hour is kept after the last post, in seconds
-- Returns  { "1" }

redis.call('ZINCRBY', KEYS[1], 1, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -ARGV[2] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[3])
return { '1' }
