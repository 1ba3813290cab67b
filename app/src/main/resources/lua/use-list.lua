-- Notes that a list of an archived post is needed, so that it stays in Redis for a while. A list that is not here has to
-- be brought back first.
--
-- KEYS[1]  the mark of the list: ms of its last use, or "-" while it is being brought back
-- ARGV[1]  ms of now
-- Returns  { "here" }, or { "away" } when the list has to be brought back

local used = redis.call('GET', KEYS[1])
if used and used ~= '-' then
  redis.call('SET', KEYS[1], ARGV[1])
  return { 'here' }
end
redis.call('SET', KEYS[1], '-')
return { 'away' }
