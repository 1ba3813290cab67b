package live.retwis.lab;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.lab.DesignSearches.Search;
import live.retwis.limit.RateLimit;
import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.design.Counterexample;
import live.retwis.locks.lab.design.MendingOutcome;
import live.retwis.locks.lab.design.RedlockDesign;
import live.retwis.locks.lab.design.ScheduledFault;
import live.retwis.locks.lab.design.Weakness;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SubmittedForm;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Build your Redlock: visitors choose how a lock works, and the lab searches a schedule
 * that breaks it. Everybody can read what was found. Signed-in users can begin a search.
 */
@ConditionalOnLab
class LockDesignHandler implements RouteContributor {

	static final String PATH = LabHandler.PATH + "/design";

	private static final int NODES = 5;

	/** The page of a search that is under way loads itself again after this time. */
	private static final String AGAIN_AFTER_SECONDS = "2";

	private static final int RETRY_AFTER_SECONDS = 20;

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final DesignSearches searches;

	LockDesignHandler(Templates templates, PageFrames frames, SessionReader sessions, DesignSearches searches) {
		this.page = templates.page("lab-design");
		this.frames = frames;
		this.sessions = sessions;
		this.searches = searches;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, RateLimit.LAB_RUNS, this::show)
			.get(PATH + ".json", RateLimit.LAB_RUNS, this::json)
			.post(PATH, RateLimit.LAB, this::begin);
	}

	/** Without a query it shows the design of this project's lock. */
	private Mono<ServerResponse> show(ServerRequest request) {
		Optional<RedlockDesign> design = request.queryParams().containsKey("nodes") ? read(request)
				: Optional.of(RedlockDesign.retwis(NODES));
		if (design.isEmpty()) {
			return mistaken(request);
		}
		Optional<Search> search = this.searches.find(design.get());
		return this.frames.of(request.exchange(), Message.of("lab-design.title"))
			// Rendering the events takes too long for an event loop.
			.publishOn(Schedulers.boundedElastic())
			.flatMap((frame) -> HtmlResponses.page(
					search.filter((one) -> !one.isDone()).isPresent()
							? ServerResponse.ok().header("Refresh", AGAIN_AFTER_SECONDS) : ServerResponse.ok(),
					this.page, View.of(frame, design.get(), search, this.searches)));
	}

	private static Optional<RedlockDesign> read(ServerRequest request) {
		return LockDesignForm.find(asked(request));
	}

	private static UnaryOperator<String> asked(ServerRequest request) {
		return (name) -> request.queryParam(name).orElse("");
	}

	/** An address that names no lock that can be built. */
	private Mono<ServerResponse> mistaken(ServerRequest request) {
		UnaryOperator<String> asked = asked(request);
		return HtmlResponses.wantsJson(request)
				? ProblemException.of(HttpStatus.BAD_REQUEST, LockDesignForm.mistake(asked))
				: this.sessions.optional(request.exchange())
					.flatMap((viewer) -> again(request, viewer, asked, ServerResponse.badRequest(),
							LockDesignForm.mistake(asked)));
	}

	/** What was found, as the scripts of the lab's reports read it. */
	private Mono<ServerResponse> json(ServerRequest request) {
		return Mono.justOrEmpty(read(request).flatMap(this.searches::find).flatMap(Search::found))
			.publishOn(Schedulers.boundedElastic())
			.map((found) -> HistoryJson.line(new Rounds(List.of(judged(found)))).getBytes(StandardCharsets.UTF_8))
			.switchIfEmpty(ProblemException.notFound(Message.of("lab-design.nothing")))
			.flatMap((json) -> ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).bodyValue(json));
	}

	private static JudgedRound judged(Counterexample found) {
		return JudgedRound.of(found.record(), Expectation.SHOWN);
	}

	private Mono<ServerResponse> begin(ServerRequest request) {
		return this.sessions.signedIn(request, PATH, (session, sent) -> begin(request, session.viewer(), sent));
	}

	private Mono<ServerResponse> begin(ServerRequest request, Viewer viewer, SubmittedForm sent) {
		Optional<RedlockDesign> read = LockDesignForm.find(sent::get);
		if (read.isEmpty()) {
			return again(request, Optional.of(viewer), sent::get, ServerResponse.unprocessableContent(),
					LockDesignForm.mistake(sent::get));
		}
		RedlockDesign design = read.get();
		if (this.searches.begin(viewer.id(), design)) {
			return HtmlResponses.seeOther(PATH + "?" + LockDesignForm.query(design));
		}
		return HtmlResponses.wantsJson(request)
				? ProblemException.later(Message.of("lab-design.busy"), RETRY_AFTER_SECONDS)
				: again(request, Optional.of(viewer), sent::get,
						ServerResponse.status(HttpStatus.SERVICE_UNAVAILABLE)
							.header(HttpHeaders.RETRY_AFTER, Integer.toString(RETRY_AFTER_SECONDS)),
						Message.of("lab-design.busy"));
	}

	/** The form with its choices, to be sent again. */
	private Mono<ServerResponse> again(ServerRequest request, Optional<Viewer> viewer, UnaryOperator<String> chosen,
			ServerResponse.BodyBuilder response, Localized error) {
		return this.frames.of(request.exchange(), Message.of("lab-design.title"), viewer, null)
			.flatMap((frame) -> HtmlResponses.page(response, this.page,
					View.refused(frame.at(PATH), LockDesignForm.fields(chosen), error)));
	}

	/** The part of a report that scripts read. */
	private record Rounds(List<JudgedRound> rounds) {
	}

	/**
	 * A choice that leaves room for faults.
	 *
	 * @param cause whether the same schedule does no harm when this choice is mended
	 * @param consequence what the search says of it
	 * @param question the question to which it is an answer
	 * @param better the choice of this project's lock
	 * @param fields the form with that choice
	 */
	private record WeaknessView(Localized text, boolean cause, Localized consequence, Localized question,
			Localized better, List<LockDesignForm.Field> fields) {

		static WeaknessView of(Weakness weakness, RedlockDesign design, Optional<Counterexample> found) {
			Optional<MendingOutcome> outcome = found.map((one) -> one.mendings().get(weakness));
			boolean cause = outcome.filter(MendingOutcome.NOTHING_BREAKS::equals).isPresent();
			Message consequence = outcome.map(WeaknessView::consequence)
				.orElseGet(() -> weakness.isSmallIn(design) ? Message.of("lab-design.unused-renewed")
						: Message.of("lab-design.unused"));
			RedlockDesign mended = weakness.mendedIn(design);
			LockDesignForm.Field changed = LockDesignForm.changed(design, mended);
			return new WeaknessView(LockDesignForm.text(weakness, design), cause, consequence, changed.legend(),
					changed.answer().text(), LockDesignForm.fields(mended));
		}

		private static Message consequence(MendingOutcome outcome) {
			return switch (outcome) {
				case NOTHING_BREAKS -> Message.of("lab-design.cause");
				case NO_WRITE_LOST -> Message.of("lab-design.cause-of-loss");
				case NOT_HELD_TWICE -> Message.of("lab-design.cause-of-both");
				case NO_HELP -> Message.of("lab-design.no-cause");
			};
		}

	}

	private record View(PageFrame frame, Localized labTag, @Nullable Localized error, List<LockDesignForm.Field> fields,
			String query, @Nullable Localized state, List<Localized> faults, List<WeaknessView> weaknesses,
			@Nullable RoundView round, boolean playable) implements PageView {

		static View refused(PageFrame frame, List<LockDesignForm.Field> fields, Localized error) {
			return new View(frame, LocalizedLabWords.tag(), error, fields, "", null, List.of(), List.of(), null, false);
		}

		static View of(PageFrame frame, RedlockDesign design, Optional<Search> search, DesignSearches searches) {
			Optional<Counterexample> found = search.flatMap(Search::found);
			return new View(frame, LocalizedLabWords.tag(), null, LockDesignForm.fields(design),
					LockDesignForm.query(design), search.map(View::state).orElse(null),
					found.stream().flatMap((one) -> one.faults().stream()).map(View::fault).toList(),
					search.filter(Search::isDone).isPresent() ? weaknesses(design, found) : List.of(),
					found.map((one) -> RoundView.of(0, judged(one))).orElse(null),
					found.filter(searches::isPlayable).isPresent());
		}

		private static List<WeaknessView> weaknesses(RedlockDesign design, Optional<Counterexample> found) {
			return Weakness.of(design).stream().map((one) -> WeaknessView.of(one, design, found)).toList();
		}

		private static Localized state(Search search) {
			if (search.found().isPresent()) {
				return Message.of("lab-design.broken", search.tried(), search.found().get().faults().size());
			}
			if (!search.isDone()) {
				return Message.of("lab-design.searching", search.tried());
			}
			return search.isBrokenOff() ? Message.of("lab-design.unfinished", search.tried())
					: Message.of("lab-design.unbroken", search.tried());
		}

		private static Localized fault(ScheduledFault fault) {
			return switch (fault.kind()) {
				case PAUSE_BEFORE_RETURN, PAUSE_BEFORE_WRITE, FAST_CLOCKS -> what(fault);
				default -> Message.of("lab-design.at", fault.at() / 1000.0, what(fault));
			};
		}

		private static Localized what(ScheduledFault fault) {
			String client = fault.clientName();
			String node = Integer.toString(fault.node());
			String millis = Integer.toString(fault.millis());
			return switch (fault.kind()) {
				case SLOW_COMMANDS -> Message.of("lab-design.slow-commands", client, node, millis);
				case SLOW_ANSWERS -> Message.of("lab-design.slow-answers", client, node, millis);
				case LOST_COMMANDS -> Message.of("lab-design.lost-commands", client, node, millis);
				case PAUSE -> Message.of("lab-design.pause", client, millis);
				case PAUSE_BEFORE_RETURN -> Message.of("lab-design.pause-before-return", client, millis);
				case PAUSE_BEFORE_WRITE -> Message.of("lab-design.pause-before-write", client, millis);
				case CRASH -> Message.of("lab-design.crash", node, millis);
				case CLOCK_SET_BACK -> Message.of("lab-design.clock-set-back", client, millis);
				case FAST_CLOCKS -> Message.of("lab-design.fast-clocks");
			};
		}

	}

}
