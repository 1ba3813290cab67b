#!/bin/sh
# Starts nginx before as many instances as there are. Their name is looked up again each second, and when the addresses
# are others, nginx takes them over: no request is dropped for that, and streams stay where they are.
#
# With a certificate in /etc/nginx/tls (fullchain.pem, privkey.pem) it speaks TLS and HTTP/2 on 8443, and 8080 leads there.
set -eu

home=/tmp/nginx
files=$home/retwis

addresses() {
	getent ahostsv4 app | awk '$2 == "STREAM" { print $1 }' | sort
}

# One that does not answer three times within two seconds is left alone for as long; the others take over at once.
name() {
	for address in $1; do
		echo "server $address:8080 max_fails=3 fail_timeout=2s;"
	done > "$files/instances.conf"
}

follow() {
	while sleep 1; do
		found=$(addresses)
		if [ -n "$found" ] && [ "$found" != "$known" ] && name "$found"; then
			known=$found
			# The number of this shell, which nginx has taken over.
			kill -HUP $$
		fi
	done
}

mkdir -p "$files" "$home/temp"
cp /etc/nginx/nginx.conf "$home"
cat > "$files/listen.conf" <<EOF
listen 8080;
client_body_temp_path /bodies;
proxy_temp_path $home/temp/proxy;
fastcgi_temp_path $home/temp/fastcgi;
uwsgi_temp_path $home/temp/uwsgi;
scgi_temp_path $home/temp/scgi;
EOF
# From 1.27.4 on it can let its old workers answer what is sent to them just as they would close a quiet connection.
if printf '1.27.4\n%s\n' "$(nginx -v 2>&1 | sed 's|.*/||; s| .*||')" | sort -CV; then
	echo 'keepalive_min_timeout 5s;' >> "$files/listen.conf"
fi
if [ -f /etc/nginx/tls/fullchain.pem ]; then
	cat >> "$files/listen.conf" <<-EOF
		listen 8443 ssl http2;
		ssl_certificate /etc/nginx/tls/fullchain.pem;
		ssl_certificate_key /etc/nginx/tls/privkey.pem;
		ssl_protocols TLSv1.2 TLSv1.3;
		ssl_session_cache shared:tls:1m;
		if (\$scheme = http) {
			return 308 https://\$host:${HTTPS_PORT:-443}\$request_uri;
		}
	EOF
fi

known=$(addresses)
until [ -n "$known" ]; do
	sleep 1
	known=$(addresses)
done
name "$known"

follow &
exec nginx -c "$home/nginx.conf" -g "daemon off; pid $home/nginx.pid;"
