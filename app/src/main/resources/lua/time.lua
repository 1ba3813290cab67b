-- The time of the node that has a key. On a cluster the command TIME alone would ask any node.
--
-- KEYS[1]  the key
-- Returns  { seconds since the epoch, microseconds in that second }
-- Cost     O(1)

return redis.call('TIME')
