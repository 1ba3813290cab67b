-- Removes archived posts from a list of their author's posts, and says in the list that they are in the archive: the
-- member "+" has the time of the newest archived post as its score, and "#" has their number. Running it again changes
-- nothing.
--
-- KEYS[1]  the list
-- ARGV     ids of the posts
-- Returns  { number of posts that were removed }
-- Cost     O(M log N)

local moved = 0
local newest = tonumber(redis.call('ZSCORE', KEYS[1], '+') or 0)
for _, post in ipairs(ARGV) do
  local score = redis.call('ZSCORE', KEYS[1], post)
  if score then
    redis.call('ZREM', KEYS[1], post)
    newest = math.max(newest, tonumber(score))
    moved = moved + 1
  end
end
if moved > 0 then
  redis.call('ZADD', KEYS[1], string.format('%.0f', newest), '+')
  redis.call('ZINCRBY', KEYS[1], moved, '#')
end
return { tostring(moved) }
