package live.retwis.xray;

import java.util.Optional;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.live.ExpectedStreamPosts;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.web.PageFrames;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The live stream of a page: where it begins, and the newest post that it brings, with
 * the entry in the log and the message by which all instances hear of it.
 */
@ConditionalOnXray
class XrayLiveStreamSection {

	private final ExpectedStreamPosts ledger;

	private final PostJourney way;

	private final InstanceLogPosition heard;

	XrayLiveStreamSection(ExpectedStreamPosts ledger, PostJourney way, InstanceLogPosition heard) {
		this.ledger = ledger;
		this.way = way;
		this.heard = heard;
	}

	/** The stream of the page that answers the request; empty when it has none. */
	Mono<View> of(ServerWebExchange exchange, Optional<Viewer> viewer) {
		return Mono.justOrEmpty(PageFrames.stream(exchange))
			.flatMap((stream) -> Mono.zip(newest(stream, viewer), this.heard.position(),
					(newest, heard) -> view(stream, newest.orElse(null), heard)));
	}

	private Mono<Optional<PostJourney.Entry>> newest(String stream, Optional<Viewer> viewer) {
		return this.ledger.newest(stream, viewer)
			.flatMap((entry) -> this.way.entry(entry.post(), entry.position().millis()))
			.singleOptional();
	}

	private static View view(String stream, PostJourney.@Nullable Entry newest, LogPosition heard) {
		String after = UriComponentsBuilder.fromUriString(stream).build().getQueryParams().getFirst("after");
		return new View(stream, LogPosition.parse((after != null) ? after : "").map(LogPosition::entryId).orElse("-"),
				heard.entryId(), newest, Message.of("xray.stream-none", ExpectedStreamPosts.LATEST));
	}

	/**
	 * What the page shows.
	 *
	 * @param address address of the stream
	 * @param position id of the log entry up to which the page is complete
	 * @param heard id of the last log entry that this instance has heard of
	 * @param newest the entry of the newest post; null for none
	 * @param none says that there is none
	 */
	record View(String address, String position, String heard, PostJourney.@Nullable Entry newest, Localized none) {

		/** What the page's script asks for. */
		String request() {
			return "GET " + this.address;
		}

		/** The command that shows the entry. */
		String command() {
			return (this.newest == null) ? "" : "XRANGE " + Keys.LOG + " " + this.newest.id() + " " + this.newest.id();
		}

	}

}
