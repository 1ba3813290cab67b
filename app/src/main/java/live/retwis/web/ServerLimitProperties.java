package live.retwis.web;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Bounds of what clients may take of the web server. The numbers are for one instance.
 * {@code retwis.limits.enabled=false} turns off {@code connections-by-address} and
 * {@code requests}.
 *
 * @param connectionsByAddress most open connections of one client address; proxies of
 * {@code retwis.proxies} are not limited
 * @param connections most open connections of all clients; 0 for as many as the limit of
 * open files allows
 * @param requests most requests in work of each kind: pages, forms, and streams that are
 * being opened. Others are told to come back in a few seconds
 * @param headTimeout how long the head of a request may take from its first byte on
 * @param bodyTimeout how long the body of a request may take
 * @param idleTimeout how long a connection may stay open without a request
 * @param answerTimeout how long a client may take for the next kB of an answer; streams
 * have a limit of their own
 */
@ConfigurationProperties("retwis.limits")
record ServerLimitProperties(@DefaultValue("200") int connectionsByAddress, @DefaultValue("0") int connections,
		@DefaultValue("500") int requests, @DefaultValue("10s") Duration headTimeout,
		@DefaultValue("20s") Duration bodyTimeout, @DefaultValue("1m") Duration idleTimeout,
		@DefaultValue("30s") Duration answerTimeout) {
}
