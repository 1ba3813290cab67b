package live.retwis.learn;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.web.FooterLink;
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
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * The list of chapters, and their pages. Everybody can read them. Signed-in users can
 * have the experiments played, and see what happened in their own.
 */
@Component
class LearnHandler implements RouteContributor {

	static final String PATH = "/learn";

	private final PageTemplate list;

	private final Map<String, PageTemplate> pages = new HashMap<>();

	private final PageFrames frames;

	private final SessionReader sessions;

	private final ExperimentRunner experiments;

	private final RecentTranscripts transcripts;

	private final LearnProperties properties;

	LearnHandler(Templates templates, PageFrames frames, SessionReader sessions, ExperimentRunner experiments,
			RecentTranscripts transcripts, LearnProperties properties) {
		this.list = templates.page("learn");
		Chapters.ALL.forEach((chapter) -> this.pages.put(chapter.name(), templates.page("learn/" + chapter.name())));
		this.frames = frames;
		this.sessions = sessions;
		this.experiments = experiments;
		this.transcripts = transcripts;
		this.properties = properties;
	}

	@Bean
	static FooterLink learnLink() {
		return new FooterLink(PATH, Message.of("learn.link"));
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, this::list)
			.get(PATH + "/{chapter}", this::show)
			.post(PATH + "/{chapter}/run", RateLimit.LEARN, this::play);
	}

	private Mono<ServerResponse> list(ServerRequest request) {
		return this.frames.of(request.exchange(), Message.of("learn.title"))
			.flatMap((frame) -> HtmlResponses.page(this.list, ListView.of(frame)));
	}

	private static Mono<Chapter> chapter(ServerRequest request) {
		return Mono.justOrEmpty(Chapters.find(request.pathVariable("chapter")))
			.switchIfEmpty(ProblemException.notFound(Message.of("learn.missing")));
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return chapter(request).flatMap((chapter) -> this.sessions.optional(request.exchange())
			.flatMap((viewer) -> show(request, chapter, viewer)));
	}

	private Mono<ServerResponse> show(ServerRequest request, Chapter chapter, Optional<Viewer> viewer) {
		Optional<String> run = request.queryParam("run");
		Optional<Transcript> transcript = run
			.flatMap((id) -> viewer.flatMap((user) -> this.transcripts.find(id, chapter.name(), user.id())));
		return (run.isPresent() && transcript.isEmpty()) ? ProblemException.notFound(Message.of("learn.no-transcript"))
				: page(request, HttpStatus.OK, chapter, viewer, transcript.orElse(null), null);
	}

	private Mono<ServerResponse> page(ServerRequest request, HttpStatus status, Chapter chapter,
			Optional<Viewer> viewer, @Nullable Transcript transcript, @Nullable Localized notice) {
		return this.frames.of(request.exchange(), chapter.title(), viewer, null)
			.flatMap((frame) -> HtmlResponses.page(status, page(chapter),
					new ChapterView(frame.at(chapter.address()), chapter, neighbour(chapter, -1), neighbour(chapter, 1),
							this.properties.enabled(), (transcript != null) ? TranscriptView.of(transcript) : null,
							notice)));
	}

	private PageTemplate page(Chapter chapter) {
		PageTemplate page = this.pages.get(chapter.name());
		if (page == null) {
			throw new IllegalStateException("no template for " + chapter);
		}
		return page;
	}

	private static @Nullable Chapter neighbour(Chapter chapter, int distance) {
		return Chapters.numbered(chapter.number() + distance).orElse(null);
	}

	private Mono<ServerResponse> play(ServerRequest request) {
		return this.sessions.signedIn(request,
				Chapters.find(request.pathVariable("chapter")).map(Chapter::address).orElse(PATH),
				(session) -> chapter(request).flatMap((chapter) -> play(request, chapter, session.viewer())));
	}

	private Mono<ServerResponse> play(ServerRequest request, Chapter chapter, Viewer viewer) {
		if (!this.properties.enabled()) {
			return ProblemException.notFound(Message.of("learn.off"));
		}
		return this.experiments.play(chapter, viewer.id())
			.flatMap((transcript) -> HtmlResponses.seeOther(chapter.address() + "?run=" + transcript.id()))
			.switchIfEmpty(Mono.defer(() -> page(request, HttpStatus.CONFLICT, chapter, Optional.of(viewer), null,
					Message.of("learn.busy"))));
	}

	/**
	 * What the list shows.
	 *
	 * @param lab whether this site has the lab, which can be switched off
	 */
	private record ListView(PageFrame frame, List<Chapter> chapters, boolean lab) implements PageView {

		static ListView of(PageFrame frame) {
			return new ListView(frame, Chapters.ALL,
					frame.links().stream().anyMatch((link) -> link.address().equals("/lab")));
		}

	}

	/**
	 * What the page of a chapter shows.
	 *
	 * @param previous the chapter before; null on the first page
	 * @param next the chapter after it; null on the last page
	 * @param enabled whether experiments can be played here
	 * @param transcript of the viewer's experiment; null before one is played
	 * @param notice why none was played; null when that did not happen
	 */
	private record ChapterView(PageFrame frame, Chapter chapter, @Nullable Chapter previous, @Nullable Chapter next,
			boolean enabled, @Nullable TranscriptView transcript, @Nullable Localized notice) implements PageView {
	}

	private record TranscriptView(List<StepView> steps, boolean broken) {

		static TranscriptView of(Transcript transcript) {
			return new TranscriptView(transcript.steps().stream().map(StepView::of).toList(), !transcript.complete());
		}

	}

	/**
	 * A step.
	 *
	 * @param client A or B; null for what no client does
	 */
	private record StepView(String lane, @Nullable String client, Localized command, @Nullable Localized answer,
			Localized took, Localized note) {

		static StepView of(TranscriptStep step) {
			return new StepView(step.lane().word(), step.isOfClient() ? step.lane().toString() : null, step.command(),
					step.isOfClient() ? step.answer() : null,
					Message.of("learn.took", String.format(Locale.ROOT, "%.2f", step.micros() / 1000.0)), step.note());
		}

	}

}
