#!/bin/sh
# Makes a cluster of six data nodes, unless they are one already.
set -eu

export REDISCLI_AUTH=$REDIS_ADMIN_PASSWORD

if redis-cli --user admin -h redis cluster info | grep -q cluster_state:ok; then
	exit
fi

nodes=
for name in redis redis-2 redis-3 redis-4 redis-5 redis-6; do
	nodes="$nodes $(getent hosts $name | awk '{ print $1 }'):6379"
done
redis-cli --user admin --cluster create $nodes --cluster-replicas 1 --cluster-yes
