#!/bin/sh
# Runs the archive of old posts. The first start makes its database, and a user of the site who owns that database and
# may do nothing else. The password comes by the environment: letters and digits.
set -eu

data=/var/lib/postgresql/data/archive

if [ ! -d "$data" ]; then
	# Under another name until it is whole: a start that breaks off begins again.
	rm -rf "$data.new"
	initdb --pgdata="$data.new" --username=postgres --encoding=UTF8 --locale=C --auth-local=peer \
		--auth-host=scram-sha-256 > /dev/null
	echo "host retwis retwis all scram-sha-256" >> "$data.new/pg_hba.conf"
	postgres --single -D "$data.new" postgres > /dev/null <<SQL
create role retwis login password '$ARCHIVE_PASSWORD';
create database retwis owner retwis;
SQL
	mv "$data.new" "$data"
fi

exec postgres -D "$data" -c listen_addresses='*' -c unix_socket_directories=/tmp
