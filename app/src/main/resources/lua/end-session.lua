-- Ends a session. If it was renewed a moment ago, it is over already, and names the session in its place.
--
-- KEYS[1]  the session
-- Returns  { what is stored of a renewed session: its user, its auth generation and the hash of the token of the session
--          in its place }, {} for any other
-- Cost     O(1)

local session = redis.call('GET', KEYS[1])
if session and string.find(session, '^%S+ %d+ %S+$') then
  return { session }
end
redis.call('DEL', KEYS[1])
return {}
