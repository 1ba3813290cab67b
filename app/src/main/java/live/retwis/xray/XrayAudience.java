package live.retwis.xray;

import java.time.Duration;
import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.web.RateLimitAddress;
import live.retwis.web.Viewer;
import live.retwis.web.Viewers;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/** Who looks at a page, and whether they may see its commands. */
@ConditionalOnXray
class XrayAudience {

	private final XrayProperties properties;

	private final Viewers viewers;

	private final RateLimiter limiter;

	XrayAudience(XrayProperties properties, Viewers viewers, RateLimiter limiter) {
		this.properties = properties;
		this.viewers = viewers;
		this.limiter = limiter;
	}

	/**
	 * Who sees the page. It is asked after the page's own commands, and is not recorded.
	 * After a log-in it is the user who has logged in. Never fails, and is never empty.
	 */
	Mono<Optional<Viewer>> viewer(ServerWebExchange exchange) {
		return CommandRecorderContext
			.unrecorded(this.viewers.of(exchange).singleOptional().onErrorReturn(Optional.empty()));
	}

	/**
	 * Whether the viewer may see the commands of the request. A page is read for the user
	 * whom the cookie names, at the same time as the session is. So the commands tell
	 * something of that user, and are for nobody whose cookie is outdated or made up.
	 */
	boolean allows(ServerWebExchange exchange, Optional<Viewer> viewer) {
		return this.properties.allows(viewer) && SessionReader.claimedUserId(exchange)
			.map((claimed) -> viewer.map(Viewer::id).filter(claimed::equals).isPresent())
			.orElse(true);
	}

	/** Counts a panel. Zero when the viewer may have it. It is not recorded. */
	Mono<Duration> wait(ServerWebExchange exchange, Optional<Viewer> viewer) {
		return CommandRecorderContext.unrecorded(this.limiter.take(RateLimit.XRAY,
				viewer.map(Viewer::id).orElseGet(() -> RateLimitAddress.of(exchange))));
	}

}
