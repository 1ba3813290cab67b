-- Removes a post that the archive has, if it is still as it was archived. Otherwise it stays, and is archived again
-- later.
--
-- KEYS[1]  the post
-- ARGV     names and values of all its fields as they were archived
-- Returns  { "1" } when the post is removed, { "gone" } when it was not there any more, { "deleted" } when it is deleted,
--          else { "0" }
-- Cost     O(M)

if redis.call('EXISTS', KEYS[1]) == 0 then
  return { 'gone' }
end
if redis.call('HEXISTS', KEYS[1], 'deleted') == 1 then
  return { 'deleted' }
end
if redis.call('HLEN', KEYS[1]) ~= #ARGV / 2 then
  return { '0' }
end
for i = 1, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) ~= ARGV[i + 1] then
    return { '0' }
  end
end
redis.call('DEL', KEYS[1])
return { '1' }
