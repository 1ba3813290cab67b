package live.retwis.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.report.LabReport;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.core.io.ClassPathResource;

/**
 * The recorded rounds of the course. They were played on real servers by
 * {@code lab run <scenario> --report}, and are packed with the program, so that a lesson
 * can be read without playing anything.
 */
@ConditionalOnLab
class RecordedLessons {

	private final Map<Lesson, Mono<RecordedLesson>> recordings = new EnumMap<>(Lesson.class);

	RecordedLessons() {
		for (Lesson lesson : Lesson.values()) {
			this.recordings.put(lesson,
					Mono.fromCallable(() -> read(lesson)).subscribeOn(Schedulers.boundedElastic()).cache());
		}
	}

	/** The recording of a lesson. It is read once, when it is first asked for. */
	Mono<RecordedLesson> of(Lesson lesson) {
		return this.recordings.getOrDefault(lesson, Mono.empty());
	}

	private static RecordedLesson read(Lesson lesson) {
		ClassPathResource file = new ClassPathResource("course/" + lesson.label() + ".json.gz");
		try (InputStream in = new GZIPInputStream(file.getInputStream())) {
			String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			return new RecordedLesson(HistoryJson.read(json, LabReport.class), json);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The program is not whole", ex);
		}
	}

	/**
	 * A recorded run.
	 *
	 * @param report with one round
	 * @param json the same as JSON
	 */
	record RecordedLesson(LabReport report, String json) {
	}

}
