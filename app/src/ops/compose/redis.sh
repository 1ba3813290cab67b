#!/bin/sh
# Starts a Redis with the users that its part takes: redis.sh data|locks [options of redis-server]
#
# retwis  the site, with the rights that ../redis/<part>.acl lists
# replica what a replica asks its master with (data only)
# admin   people
#
# Nobody can be `default`, but it keeps its rights: Redis loads its append-only file as that user, and would leave out,
# with no more than a line in its log, each script's writes that it may not do.
#
# The passwords come by the environment and go in by standard input: no list of processes shows them.
set -eu

part=$1
shift

# Lock nodes have no replicas. The site may read the settings of a lock node, so no password may stand among them.
replication=
if [ "$part" = data ]; then
	replication="user replica on >$REDIS_ADMIN_PASSWORD +psync +replconf +ping
masteruser replica
masterauth $REDIS_ADMIN_PASSWORD"
fi

exec redis-server - "$@" <<EOF
user default off ~* &* +@all
user retwis on >$REDIS_PASSWORD $(cat "/etc/retwis/$part.acl")
user admin on >$REDIS_ADMIN_PASSWORD ~* &* +@all
$replication
EOF
