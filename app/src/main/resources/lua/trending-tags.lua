-- Returns the tags with the most posts of the last hours. The sum of the hours is stored for a while: whichever instance
-- asks first makes it for all.
--
-- KEYS[1]  the stored sum
-- KEYS[2…] the tags of each hour, by number of posts
-- ARGV[1]  most tags
-- ARGV[2]  how long the sum is stored, in seconds
-- Returns  tag, number of posts, tag, number of posts, …; the tag with the most posts first
-- Cost     O(M log N)

if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('ZUNIONSTORE', KEYS[1], #KEYS - 1, unpack(KEYS, 2))
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -ARGV[1] - 1)
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
return redis.call('ZREVRANGE', KEYS[1], 0, ARGV[1] - 1, 'WITHSCORES')
