#!/bin/sh
# Starts a Redis with the users that its part takes: redis.sh data|locks [options of redis-server]
#
# retwis  the site, with the rights that ../redis/<part>.acl lists
# replica what a replica asks its master with
# admin   people
#
# Nobody can be `default`, but it keeps its rights: Redis loads its append-only file as that user, and would leave out,
# with no more than a line in its log, each script's writes that it may not do.
#
# The passwords come by the environment and go in by standard input: no list of processes shows them.
set -eu

part=$1
shift

exec redis-server - "$@" <<EOF
user default off ~* &* +@all
user retwis on >$REDIS_PASSWORD $(cat "/etc/retwis/$part.acl")
user replica on >$REDIS_ADMIN_PASSWORD +psync +replconf +ping
user admin on >$REDIS_ADMIN_PASSWORD ~* &* +@all
masteruser replica
masterauth $REDIS_ADMIN_PASSWORD
EOF
