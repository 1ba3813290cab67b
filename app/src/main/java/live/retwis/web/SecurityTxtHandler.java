package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import live.retwis.i18n.Message;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Says where to report a security problem (RFC 9116), if the operator has told it. */
@Component
class SecurityTxtHandler implements RouteContributor {

	private static final Duration VALID = Duration.ofDays(180);

	private static final CacheControl FOR_A_DAY = CacheControl.maxAge(Duration.ofDays(1)).cachePublic();

	private static final MediaType TEXT = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);

	private final @Nullable String contact;

	SecurityTxtHandler(SiteSecurityProperties properties) {
		this.contact = properties.securityContact();
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/.well-known/security.txt", this::show);
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		Instant expires = Instant.now().plus(VALID).truncatedTo(ChronoUnit.DAYS);
		return (this.contact == null) ? ProblemException.notFound(Message.of("error.404-text")) : ServerResponse.ok()
			.contentType(TEXT)
			.cacheControl(FOR_A_DAY)
			.bodyValue("Contact: " + this.contact + "\nExpires: " + expires + "\nPreferred-Languages: en, zh\n");
	}

}
