-- Keeps a user's report of a post. A user reports a post once. When there are too many reports of the post, this one
-- only renews the place of the post. When there are too many posts, the reports of the post whose last
-- report is the oldest are removed. Running it again changes nothing.
--
-- KEYS[1]  reported posts, by the ms of the last report
-- KEYS[2]  the reports of this post, by user
-- ARGV[1]  prefix of KEYS[2], before the post id; all are in one slot
-- ARGV[2]  most posts
-- ARGV[3]  most reports of one post
-- ARGV[4]  post id
-- ARGV[5]  id of the user who reports
-- ARGV[6]  the current time, in ms
-- ARGV[7]  the reason
-- Returns  { "1" } when the user's report is kept, { "0" } when there was no room for it
-- Cost     O(M log N)

if redis.call('HEXISTS', KEYS[2], ARGV[5]) == 1 then
  return { '1' }
end
if redis.call('HLEN', KEYS[2]) >= tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], 'XX', ARGV[6], ARGV[4])
  return { '0' }
end
if not redis.call('ZSCORE', KEYS[1], ARGV[4]) then
  for _, oldest in ipairs(redis.call('ZRANGE', KEYS[1], 0, -tonumber(ARGV[2]))) do
    redis.call('DEL', ARGV[1] .. oldest)
    redis.call('ZREM', KEYS[1], oldest)
  end
end
redis.call('ZADD', KEYS[1], ARGV[6], ARGV[4])
redis.call('HSET', KEYS[2], ARGV[5], ARGV[6] .. ' ' .. ARGV[7])
return { '1' }
