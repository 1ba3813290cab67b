package live.retwis.xray;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ReturnAddress;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import live.retwis.xray.CommandView.KeyView;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * Renders what was recorded. The looks at the keys, the way of a post and the page's
 * stream are read after the page's own commands. The panel is shown without them when
 * they do not come in time.
 */
@ConditionalOnXray
class XrayPanel {

	private static final Logger log = LoggerFactory.getLogger(XrayPanel.class);

	/** Keys that are looked at. */
	private static final int MOST_KEYS = 60;

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final String POSTS = "/posts/";

	private final PageTemplate template;

	private final PageFrames frames;

	private final KeyRepository keys;

	private final PostJourney way;

	private final XrayLiveStreamSection stream;

	XrayPanel(Templates templates, PageFrames frames, KeyRepository keys, PostJourney way,
			XrayLiveStreamSection stream) {
		this.template = templates.page("partials/xray");
		this.frames = frames;
		this.keys = keys;
		this.way = way;
		this.stream = stream;
	}

	/**
	 * The panel's markup.
	 * @param page the commands of the page
	 * @param form those of the form that led to it
	 * @param unknown whether a form led to it whose commands are not known here
	 */
	Mono<byte[]> render(ServerWebExchange exchange, RecordedRequest page, Optional<RecordedRequest> form,
			boolean unknown, Optional<Viewer> viewer) {
		List<Part> parts = new ArrayList<>();
		form.ifPresent((recorded) -> parts.add(new Part(Message.of("xray.form"), recorded)));
		parts.add(new Part(Message.of("xray.page"), page));
		boolean refused = isRefused(exchange);
		Set<String> readable = refused ? Set.of() : readable(parts, viewer.map(Viewer::id));
		List<String> looked = readable.stream().limit(MOST_KEYS).toList();
		return Mono
			.zip(optional(this.keys.lookAt(looked)), optional(way(exchange)),
					optional(this.stream.of(exchange, viewer)),
					this.frames.of(exchange, Message.of("xray.title"), Optional.empty(), null))
			.map(TupleUtils.function((looks, way, stream, frame) -> new View(frame, back(exchange), unknown,
					views(parts, linked(readable, looks.orElse(Map.of())),
							refused ? (command) -> false : sized(viewer)),
					looked.stream().flatMap((key) -> KeyView.of(looks.orElse(Map.of()), key, nodes(parts))).toList(),
					readable.size() > MOST_KEYS ? Message.of("xray.more-keys", readable.size() - MOST_KEYS) : null,
					way.orElse(null), stream.orElse(null))))
			.map((view) -> HtmlResponses.bytes(this.template, view));
	}

	/** Keys whose page exists: all keys except those found missing. */
	private static Set<String> linked(Set<String> readable, Map<String, KeyMetadata> looks) {
		return readable.stream()
			.filter((key) -> Optional.ofNullable(looks.get(key)).map(KeyMetadata::exists).orElse(true))
			.collect(Collectors.toSet());
	}

	/**
	 * Whether what the page asks for is kept from the viewer. Then the panel has the
	 * commands, and nothing of what is in the keys: sizes would tell whether there is
	 * something.
	 */
	private static boolean isRefused(ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return HttpStatus.NOT_FOUND.equals(status) || HttpStatus.FORBIDDEN.equals(status);
	}

	/** Of which commands the viewer may know how large the answer was. */
	private static Predicate<RecordedCommand> sized(Optional<Viewer> viewer) {
		return (command) -> !command.shown().keys().isEmpty()
				&& Redaction.isReadable(command.shown().keys(), viewer.map(Viewer::id));
	}

	private static List<PartView> views(List<Part> parts, Set<String> readable, Predicate<RecordedCommand> sized) {
		return parts.stream().map((part) -> PartView.of(part, readable, sized)).toList();
	}

	private Set<String> readable(List<Part> parts, Optional<String> viewerId) {
		Set<String> keys = new LinkedHashSet<>();
		parts.forEach((part) -> part.recorded().commands().forEach((command) -> keys.addAll(command.shown().keys())));
		return new LinkedHashSet<>(this.keys.readable(keys, viewerId));
	}

	/** For each key, which node was asked for it last. */
	private static Map<String, String> nodes(List<Part> parts) {
		Map<String, String> nodes = new HashMap<>();
		parts.forEach((part) -> part.recorded()
			.commands()
			.forEach((command) -> command.shown().keys().forEach((key) -> nodes.put(key, command.node()))));
		return nodes;
	}

	/** The way of the post whose page this is. */
	private Mono<PostJourney.View> way(ServerWebExchange exchange) {
		String path = exchange.getRequest().getURI().getRawPath();
		String id = path.startsWith(POSTS) ? path.substring(POSTS.length()) : "";
		return (TimeSortedIdGenerator.isValid(id) && HttpStatus.OK.equals(exchange.getResponse().getStatusCode()))
				? this.way.of(id) : Mono.empty();
	}

	private static <T> Mono<Optional<T>> optional(Mono<T> read) {
		return read.map(Optional::of).timeout(PATIENCE).onErrorResume((error) -> {
			log.warn("X-ray: {}", error.toString());
			return Mono.just(Optional.empty());
		}).defaultIfEmpty(Optional.empty());
	}

	/** The address of the page itself; of a form's answer that of the page it was on. */
	private static String back(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		String address = request.getMethod().equals(HttpMethod.POST)
				? Objects.toString(request.getHeaders().getFirst(HttpHeaders.REFERER), "")
				: request.getURI().toString();
		return ReturnAddress.or(XrayAddress.without(address.replaceFirst("^https?://[^/]*", "")), "/");
	}

	/**
	 * What the page or the form did.
	 */
	private record Part(Localized title, RecordedRequest recorded) {
	}

	private record View(PageFrame frame, String back, boolean unknown, List<PartView> parts, List<KeyView> keys,
			@Nullable Localized moreKeys, PostJourney.@Nullable View way,
			XrayLiveStreamSection.@Nullable View stream) implements PageView {
	}

	private record PartView(Localized title, Localized summary, List<LockView> locks, List<TripView> trips,
			@Nullable Localized more) {

		static PartView of(Part part, Set<String> readable, Predicate<RecordedCommand> sized) {
			List<RecordedCommand> commands = part.recorded().commands();
			Map<Integer, List<RecordedCommand>> trips = commands.stream()
				.collect(Collectors.groupingBy(RecordedCommand::trip, TreeMap::new, Collectors.toList()));
			return new PartView(part.title(),
					commands.isEmpty() ? Message.of("xray.none")
							: Message.of("xray.summary", commands.size() + part.recorded().more(), trips.size()),
					part.recorded().locks().stream().map(LockView::of).toList(),
					trips.values()
						.stream()
						.map((trip) -> TripView.of(trip, readable, sized, sentAgain(commands)))
						.toList(),
					(part.recorded().more() > 0) ? Message.of("xray.more", part.recorded().more()) : null);
		}

	}

	/** Which scripts a node did not know: their text was sent after that. */
	private static Predicate<RecordedCommand> sentAgain(List<RecordedCommand> commands) {
		Set<String> sent = commands.stream()
			.filter((command) -> command.shown().name().equals("EVAL"))
			.map(RecordedCommand::shown)
			.map(Redaction.Shown::script)
			.filter(Objects::nonNull)
			.map(KnownScripts.KnownScript::name)
			.collect(Collectors.toSet());
		return (command) -> command.failed() && command.shown().name().equals("EVALSHA")
				&& command.shown().script() != null && sent.contains(command.shown().script().name());
	}

	private record LockView(Localized summary, Localized commands, List<LockNodeView> nodes) {

		static LockView of(RecordedLock lock) {
			String waited = CommandView.millis(lock.waited().toNanos());
			return new LockView(
					lock.nodes().isEmpty() ? refusal(lock, waited)
							: Message.of("xray.lock", lock.resource(), lock.votes(), lock.nodes().size(), waited,
									lock.left().toMillis()),
					Message.of("xray.lock-commands", "lock:" + lock.resource()),
					lock.nodes()
						.entrySet()
						.stream()
						.map((node) -> new LockNodeView(node.getKey(), outcome(node.getValue())))
						.toList());
		}

		private static Localized refusal(RecordedLock lock, String waited) {
			return lock.taken() ? Message.of("xray.lock-taken", lock.resource(), waited)
					: Message.of("xray.lock-no-majority", lock.resource(), waited);
		}

		private static Localized outcome(String answer) {
			return switch (answer) {
				case "ACQUIRED" -> Message.of("xray.lock-yes");
				case "TAKEN" -> Message.of("xray.lock-no");
				case "TIMEOUT" -> Message.of("xray.lock-silent");
				case "REFUSED" -> Message.of("xray.lock-unreached");
				case "NOT_ASKED" -> Message.of("xray.lock-unasked");
				default -> Message.of("xray.lock-error");
			};
		}

	}

	private record LockNodeView(String name, Localized outcome) {
	}

	private record TripView(Localized title, List<CommandView> commands) {

		static TripView of(List<RecordedCommand> trip, Set<String> readable, Predicate<RecordedCommand> sized,
				Predicate<RecordedCommand> sentAgain) {
			long began = trip.stream().mapToLong(RecordedCommand::sent).min().orElse(0);
			long ended = trip.stream().mapToLong(RecordedCommand::arrived).max().orElse(began);
			String node = trip.stream()
				.map(RecordedCommand::node)
				.filter(Objects::nonNull)
				.distinct()
				.collect(Collectors.joining(", "));
			return new TripView(
					Message.of("xray.trip", trip.get(0).trip(), CommandView.millis(Math.max(0, ended - began)), node),
					trip.stream()
						.map((command) -> CommandView.of(command, readable, sized.test(command),
								sentAgain.test(command)))
						.toList());
		}

	}

}
