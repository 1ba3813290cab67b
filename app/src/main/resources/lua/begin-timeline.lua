-- Creates a home timeline that was announced, from posts that were read after the announcement and from the changes
-- since then. The timeline never exceeds its bound. Running it again changes nothing.
--
-- KEYS[1]  the timeline
-- KEYS[2]  its mark. Absent: it is complete from the first post on. ">" and a ms of commit: it is complete after that
--          ms. A ms of commit alone: it is complete from its oldest post on; a full timeline has only such a mark,
--          which need not change at each post that it drops. "0": it is complete but empty. "0>" and a ms of commit: it
--          is complete after that ms but empty
-- KEYS[3]  the list of changes; its first element is the builder
-- ARGV[1]  most entries
-- ARGV[2]  how long the timeline lives, in seconds
-- ARGV[3]  the ms of the place from which on the given posts are complete; "" if they are complete from the first post on
-- ARGV[4]  the post id of that place, or ""
-- ARGV[5]  how much longer than the timeline the mark lives, in seconds
-- ARGV[6]  the builder
-- ARGV[7]  score, ms of the commit, and post id of each post
-- Returns  { "1" }, or { "0" } when another builder has taken over or the announcement has expired
-- Cost     O(M log N)

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
  local sign = size == 0 and '0>' or size < tonumber(ARGV[1]) and '>' or ''
  redis.call('SET', KEYS[2], cut ~= '' and sign .. cut or '0', 'EX', ARGV[2] + ARGV[5])
end
return { '1' }
