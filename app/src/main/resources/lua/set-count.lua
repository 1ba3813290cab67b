-- Sets one of the counts of a post, unless the post is deleted.
--
-- KEYS[1]  the post
-- ARGV[1]  name of the count
-- ARGV[2]  its value
-- ARGV[3]  names of all counts, including this one; they continue in ARGV[4] and so on
-- Returns  the author's user id and all counts in the order of their names; {} when the post does not exist, is no
--          hash, or is deleted
-- Cost     O(M)

local author = redis.pcall('HGET', KEYS[1], 'author')
if type(author) ~= 'string' or redis.call('HEXISTS', KEYS[1], 'deleted') == 1 then
  return {}
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local answer = { author }
for i, count in ipairs(redis.call('HMGET', KEYS[1], unpack(ARGV, 3))) do
  answer[i + 1] = count or '0'
end
return answer
