package live.retwis.lab;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.lab.RecordedLessons.RecordedLesson;
import live.retwis.limit.RateLimit;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * A course on Redlock: one predicts what will happen, sees what did, and reads why. The
 * prediction is part of the address, so it works without scripts and nothing is stored.
 */
@ConditionalOnLab
class LabCourseHandler implements RouteContributor {

	private static final String PATH = "/lab/course";

	private final PageTemplate course;

	private final PageTemplate lesson;

	private final PageFrames frames;

	private final RecordedLessons recorded;

	private final LabScenarios scenarios;

	LabCourseHandler(Templates templates, PageFrames frames, RecordedLessons recorded, LabScenarios scenarios) {
		this.course = templates.page("lab-course");
		this.lesson = templates.page("lab-lesson");
		this.frames = frames;
		this.recorded = recorded;
		this.scenarios = scenarios;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, this::list)
			.get(PATH + "/{lesson}.json", this::json)
			.get(PATH + "/{lesson}", RateLimit.LAB_RUNS, this::show);
	}

	private Mono<ServerResponse> list(ServerRequest request) {
		return this.frames.of(request.exchange(), Message.of("lab-course.title"))
			.flatMap((frame) -> HtmlResponses.page(this.course, new CourseView(frame, LocalizedLabWords.tag(),
					Stream.of(Lesson.values()).map(LessonLink::of).toList())));
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return lesson(request).flatMap((lesson) -> this.frames.of(request.exchange(), lesson.title())
			.flatMap((frame) -> answer(request, frame, lesson)));
	}

	private Mono<ServerResponse> answer(ServerRequest request, PageFrame frame, Lesson lesson) {
		String predicted = request.queryParam("answer").filter((one) -> one.equals("a") || one.equals("b")).orElse("");
		if (predicted.isEmpty()) {
			return HtmlResponses.page(this.lesson, LessonView.of(frame, lesson, null));
		}
		return this.recorded.of(lesson)
			// Rendering hundreds of events takes too long for an event loop.
			.publishOn(Schedulers.boundedElastic())
			.flatMap((recording) -> HtmlResponses.page(this.lesson,
					LessonView.of(frame, lesson, reveal(lesson, predicted, recording))));
	}

	private Reveal reveal(Lesson lesson, String predicted, RecordedLesson recording) {
		List<CitationView> sources = this.scenarios.find(lesson.scenario())
			.map((scenario) -> scenario.literature().stream().map(CitationView::of).toList())
			.orElse(List.of());
		return new Reveal(lesson.answer(predicted), lesson.isRight(predicted),
				List.of(RoundView.of(0, recording.report().rounds().get(0))), lesson.why(), lesson.more(),
				lesson.place(), sources, lesson.next().map(LessonLink::of).orElse(null));
	}

	private Mono<ServerResponse> json(ServerRequest request) {
		return lesson(request).flatMap(this.recorded::of)
			.flatMap((recording) -> ServerResponse.ok()
				.contentType(MediaType.APPLICATION_JSON)
				.bodyValue(recording.json()));
	}

	private static Mono<Lesson> lesson(ServerRequest request) {
		return Mono.justOrEmpty(Lesson.of(request.pathVariable("lesson")))
			.switchIfEmpty(ProblemException.notFound(Message.of("lab-course.missing")));
	}

	private record CourseView(PageFrame frame, Localized labTag, List<LessonLink> lessons) implements PageView {
	}

	private record LessonLink(String name, Localized title) {

		static LessonLink of(Lesson lesson) {
			return new LessonLink(lesson.label(), lesson.title());
		}

	}

	/** A lesson. It has the question alone until the reader has predicted something. */
	private record LessonView(PageFrame frame, Localized labTag, String name, int number, int count, String scenario,
			Localized title, Localized question, Localized engineReason, Localized first, Localized second,
			@Nullable Reveal reveal) implements PageView {

		static LessonView of(PageFrame frame, Lesson lesson, @Nullable Reveal reveal) {
			return new LessonView(frame, LocalizedLabWords.tag(), lesson.label(), lesson.number(),
					Lesson.values().length, lesson.scenario(), lesson.title(), lesson.question(), lesson.engineReason(),
					lesson.answer("a"), lesson.answer("b"), reveal);
		}

	}

	/**
	 * What happened, and why.
	 *
	 * @param predicted what the reader has predicted
	 * @param rounds one recorded round
	 * @param why three sentences
	 * @param more something about each of these sentences
	 * @param next the next lesson; null after the last
	 */
	private record Reveal(Localized predicted, boolean right, List<RoundView> rounds, List<Localized> why,
			List<Localized> more, Localized place, List<CitationView> literature, @Nullable LessonLink next) {
	}

}
