-- Begins a home timeline that was announced: with posts that were read since, and with what has changed since. It never
-- holds more than its bound. Sent again it changes nothing.
--
-- KEYS[1]  the timeline
-- KEYS[2]  from which ms of commit on it is whole, if it is not from the first post on; "0" when there is nothing in it
-- KEYS[3]  what changed since it was announced; first who makes it
-- ARGV[1]  most entries
-- ARGV[2]  how long it lives, in seconds
-- ARGV[3]  from which place on these posts are all there are: its ms; "" from the first post on
-- ARGV[4]  and its post id, or ""
-- ARGV[5]  how much longer than the timeline that is kept, in seconds
-- ARGV[6]  who makes it
-- ARGV[7]  score, ms of the commit, and post id of each
-- Returns  { "1" }, or { "0" } when somebody else makes it by now, or it took too long

local changes = redis.call('LRANGE', KEYS[3], 0, -1)
if changes[1] ~= ARGV[6] then
  return { '0' }
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])

local function isNewer(score, post, other, otherPost)
  local a, b = tonumber(score), tonumber(other)
  return a > b or (a == b and post > otherPost)
end

local scores = {}
for i = 7, #ARGV, 2 do
  scores[ARGV[i + 1]] = ARGV[i]
end
local from, first = ARGV[3], ARGV[4]
for i = 2, #changes do
  local kind, score, post = string.match(changes[i], '^([+<])(%d+) (.+)$')
  if not kind then
    scores[string.sub(changes[i], 2)] = nil
  elseif kind == '+' then
    scores[post] = score
  elseif from == '' or isNewer(score, post, from, first) then
    from, first = score, post
  end
end

local posts = {}
for post, score in pairs(scores) do
  if from == '' or not isNewer(from, first, score, post) then
    posts[#posts + 1] = post
  end
end
table.sort(posts, function(one, other)
  return isNewer(scores[one], one, scores[other], other)
end)
local size = math.min(#posts, tonumber(ARGV[1]))
for i = 1, size do
  redis.call('ZADD', KEYS[1], scores[posts[i]], posts[i])
end
if size > 0 then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
end
local cut = size < #posts and scores[posts[size]] or from
if size == 0 or cut ~= '' then
  redis.call('SET', KEYS[2], cut ~= '' and cut or '0', 'EX', ARGV[2] + ARGV[5])
end
return { '1' }
