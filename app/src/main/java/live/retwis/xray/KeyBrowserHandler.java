package live.retwis.xray;

import java.util.List;
import java.util.Optional;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.redis.Keys;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import live.retwis.web.Viewers;
import live.retwis.xray.KeyVisibilityRule.Readers;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriUtils;

/**
 * "Look inside": the families of keys, and one key with its first elements. It reads
 * only. A key that the viewer may not look into answers like one that does not exist.
 */
@ConditionalOnXray
class KeyBrowserHandler implements RouteContributor {

	private static final String PATH = "/xray/keys";

	private static final String PARAMETER = "key";

	/** Elements that are shown. */
	private static final int MOST = 50;

	/** Longest name of a key. */
	private static final int LONGEST = 300;

	private final PageTemplate page;

	private final PageFrames frames;

	private final Viewers viewers;

	private final KeyRepository keys;

	private final XrayProperties properties;

	KeyBrowserHandler(Templates templates, PageFrames frames, Viewers viewers, KeyRepository keys,
			XrayProperties properties) {
		this.page = templates.page("xray-keys");
		this.frames = frames;
		this.viewers = viewers;
		this.keys = keys;
		this.properties = properties;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, RateLimit.XRAY, this::show);
	}

	/** Address of the page of a key. */
	static String address(String key) {
		return PATH + "?" + PARAMETER + "=" + UriUtils.encode(key, "UTF-8");
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		String key = request.queryParam(PARAMETER).orElse("");
		return this.viewers.of(request.exchange())
			.singleOptional()
			.flatMap((viewer) -> this.properties.allows(viewer)
					? (key.isEmpty() ? Mono.just(Optional.<KeyPreview>empty()) : content(key, viewer).map(Optional::of))
						.flatMap((content) -> page(request, viewer, content))
					: KeyBrowserHandler.<ServerResponse>missing())
			.switchIfEmpty(missing());
	}

	private static <T> Mono<T> missing() {
		return ProblemException.notFound(Message.of("xray.key-missing"));
	}

	/**
	 * The content of a key; empty when the viewer may not look into it, or it is not
	 * there.
	 */
	private Mono<KeyPreview> content(String key, Optional<Viewer> viewer) {
		Optional<String> viewerId = viewer.map(Viewer::id);
		return Mono.just(key)
			.filter((name) -> name.length() <= LONGEST)
			.filterWhen((name) -> this.keys.isReadable(name, viewerId))
			.flatMap(this.keys::lookAt)
			.filter(KeyMetadata::exists)
			.flatMap((look) -> this.keys.read(key, MOST).map((answer) -> KeyPreview.of(look, answer, viewerId)));
	}

	private Mono<ServerResponse> page(ServerRequest request, Optional<Viewer> viewer, Optional<KeyPreview> content) {
		return this.frames.of(request.exchange(), Message.of("xray.keys-title"), viewer, null)
			.flatMap((frame) -> HtmlResponses.page(this.page,
					new View(frame, content.orElse(null),
							content.flatMap((shown) -> KeyVisibilityRule.of(shown.look().key()))
								.map(KeyVisibilityRule::meaning)
								.orElse(null),
							content.isPresent() ? List.of()
									: KeyVisibilityRule.ALL.stream()
										.filter((family) -> family.readers() != Readers.NOBODY)
										.map((family) -> FamilyView.of(family, viewer))
										.toList())));
	}

	/**
	 * The page.
	 *
	 * @param content what a key has; null on the page of all families
	 * @param meaning what that key is for
	 */
	private record View(PageFrame frame, @Nullable KeyPreview content, @Nullable Localized meaning,
			List<FamilyView> families) implements PageView {
	}

	/**
	 * A family of keys.
	 *
	 * @param family common name of the keys
	 * @param meaning what they are for
	 * @param readers who may look into them
	 * @param address the page of the only key, or of the viewer's own; null when there
	 * are many
	 */
	private record FamilyView(String family, @Nullable Localized meaning, Localized readers, @Nullable String address) {

		static FamilyView of(KeyVisibilityRule family, Optional<Viewer> viewer) {
			return new FamilyView(family.name(), family.meaning(),
					(family.readers() == Readers.OWNER) ? Message.of("xray.readers-owner")
							: Message.of("xray.readers-all"),
					example(family, viewer).map(KeyBrowserHandler::address).orElse(null));
		}

		private static Optional<String> example(KeyVisibilityRule family, Optional<Viewer> viewer) {
			if (!family.name().contains("<")) {
				return Optional.of(family.name());
			}
			return viewer.map(Viewer::id)
				.flatMap((id) -> family.name().contains("{t…}")
						? List.of(Keys.homeTimeline(id), Keys.homeCompleteFrom(id), Keys.homeChanges(id))
							.stream()
							.filter((key) -> KeyVisibilityRule.of(key).filter(family::equals).isPresent())
							.findFirst()
						: Optional.of(family.name().replace("<id>", id)).filter((key) -> !key.contains("<")));
		}

	}

}
