-- Creates a home timeline that was announced, from posts that were read after the announcement and from the changes
-- since then. The timeline never exceeds its bound. Running it again changes nothing.
--
-- KEYS[1]  the timeline
-- KEYS[2]  its mark, the ms of commit from which on it is complete; absent if it is complete from the first post on;
--          "0" if it is complete but empty
-- KEYS[3]  the list of changes; its first element is the builder
-- ARGV[1]  most entries
-- ARGV[2]  how long the timeline lives, in seconds
-- ARGV[3]  the ms from which on the given posts are complete; "" if they are complete from the first post on
-- ARGV[4]  how much longer than the timeline the mark lives, in seconds
-- ARGV[5]  the builder
-- ARGV[6]  score, ms of the commit, and post id of each post
-- Returns  { "1" }, or { "0" } when another builder has taken over or the announcement has expired

local changes = redis.call('LRANGE', KEYS[3], 0, -1)
if changes[1] ~= ARGV[5] then
  return { '0' }
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])

local scores = {}
for i = 6, #ARGV, 2 do
  scores[ARGV[i + 1]] = ARGV[i]
end
local from = tonumber(ARGV[3]) or 0
for i = 2, #changes do
  local score, post = string.match(changes[i], '^%+(%d+) (.+)$')
  if not score then
    scores[string.sub(changes[i], 2)] = nil
  elseif tonumber(score) >= from then
    scores[post] = score
  end
end

local posts = {}
for post in pairs(scores) do
  posts[#posts + 1] = post
end
table.sort(posts, function(one, other)
  local a, b = tonumber(scores[one]), tonumber(scores[other])
  return a > b or (a == b and one > other)
end)
local size = math.min(#posts, tonumber(ARGV[1]))
for i = 1, size do
  redis.call('ZADD', KEYS[1], scores[posts[i]], posts[i])
end
if size > 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
local cut = size < #posts and scores[posts[size]] or ARGV[3]
if size == 0 or cut ~= '' then
  redis.call('SET', KEYS[2], cut ~= '' and cut or '0', 'EX', ARGV[2] + ARGV[4])
end
return { '1' }
