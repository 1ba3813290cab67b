-- Adds a post to a list that never gives up a post for a newer one. Running it again changes nothing.
-- The answer says whether this run has added it, because that is logged once.
--
-- KEYS[1]  the list
-- ARGV[1]  most entries
-- ARGV[2]  score, ms
-- ARGV[3]  post id
-- Returns  { "added" }, { "there" } when the post was in the list before, or { "full" } when the list is full
-- Cost     O(log N)

if redis.call('ZSCORE', KEYS[1], ARGV[3]) then
  return { 'there' }
end
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
  return { 'full' }
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
return { 'added' }
