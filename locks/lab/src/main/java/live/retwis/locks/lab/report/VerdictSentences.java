package live.retwis.locks.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.check.Liveness;
import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.check.RoundVerdict;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.words.LabWords;

/**
 * Says in sentences what rounds showed. Pages, reports and JUnit files all have their
 * sentences from here.
 *
 * @param words the texts of a language
 */
public record VerdictSentences(LabWords words) {

	/** The English sentences. */
	public static final VerdictSentences ENGLISH = new VerdictSentences(LabWords.ENGLISH);

	/** Violations each of which is a lost write. */
	private static final Set<String> LOST = Set.of("violation.gone", "violation.replaced");

	/** Begins what the store compares, where it compares numbers. */
	private static final String NUMBER = "number ";

	/** What a round showed, and whether that was expected. */
	public String of(JudgedRound round) {
		return told(round).result();
	}

	/** The same, also without times. */
	RoundVerdictText told(JudgedRound round) {
		RoundVerdictText stored = round.sentences().get(this.words.tag());
		return (stored != null) ? stored : new RoundVerdictText(all(round, false), all(round, true));
	}

	private String all(JudgedRound round, boolean brief) {
		if (round.ending() == RoundOutcome.BROKEN) {
			return text("verdict.broken", round.record().error());
		}
		if (round.ending() == RoundOutcome.NOT_REPRODUCED) {
			return text("verdict.missed");
		}
		RoundVerdict verdict = round.verdict();
		return join(Stream.of(lock(round.record(), verdict, brief), writes(round.record(), verdict, brief),
				recovery(verdict), end(round)));
	}

	private Optional<String> lock(RoundRecord record, RoundVerdict verdict, boolean brief) {
		List<LabViolation> both = verdict.violations()
			.stream()
			.filter((violation) -> violation.judge().equals("lease"))
			.toList();
		if (verdict.lease() == Safety.UNSAFE && !both.isEmpty()) {
			return Optional.of(brief ? text("verdict.both-short") : overlap(both));
		}
		if (verdict.progress() == Liveness.NONE) {
			boolean recovered = record.events().stream().anyMatch((event) -> event.ended("acquire", "acquired"));
			return Optional.of(text(recovered ? "verdict.nobody-at-first" : "verdict.nobody"));
		}
		return Optional.of(text((verdict.lease() == Safety.UNSAFE) ? "verdict.both-short" : "verdict.one"));
	}

	private String overlap(List<LabViolation> both) {
		LabViolation first = both.get(0);
		long longest = both.stream().mapToLong((one) -> one.until() - one.from()).max().orElse(0);
		return (both.size() == 1 && first.values().size() == 3)
				? text("verdict.both", first.values().get(0), first.values().get(1), this.words.time(longest))
				: text("verdict.both-often", both.size(), this.words.time(longest));
	}

	private Optional<String> writes(RoundRecord record, RoundVerdict verdict, boolean brief) {
		if (verdict.effect() == Safety.NOT_JUDGED) {
			return Optional.of(text("verdict.uncounted"));
		}
		if (verdict.effect() == Safety.UNSAFE) {
			long lost = verdict.violations().stream().filter((one) -> LOST.contains(one.key())).count();
			return Optional.of(text("verdict.lost", Math.max(lost, 1)));
		}
		if (record.events().stream().noneMatch((event) -> event.is(Kind.INVOKE, "write"))) {
			return (verdict.progress() == Liveness.NONE || brief) ? Optional.empty()
					: Optional.of(text("verdict.unwritten"));
		}
		List<HistoryEvent> refused = record.events()
			.stream()
			.filter((event) -> event.ended("write", "refused"))
			.toList();
		return Optional.of(refused.isEmpty() ? text("verdict.kept") : refused(record, refused));
	}

	private String refused(RoundRecord record, List<HistoryEvent> refused) {
		String refusedClients = refused.stream()
			.map(HistoryEvent::subject)
			.distinct()
			.collect(Collectors.joining(", "));
		List<Optional<String>> others = refused.stream().map((one) -> whyRefused(record, one)).distinct().toList();
		if (others.size() > 1 || others.get(0).isEmpty()) {
			return text("verdict.refused", refused.size(), refusedClients);
		}
		return text(number(refused.get(0)).isPresent() ? "verdict.refused-number" : "verdict.refused-after",
				refused.size(), refusedClients, others.get(0).get());
	}

	/**
	 * Who is the reason for which the store refused a write: the client that has written
	 * with a greater number, or else the one that has claimed the store since. A client
	 * claims it before it reads.
	 */
	private static Optional<String> whyRefused(RoundRecord record, HistoryEvent refused) {
		OptionalLong own = number(refused);
		return record.events()
			.stream()
			.filter((event) -> event.storedAt() < refused.storedAt())
			.filter((event) -> own.isPresent()
					? event.ended("write", "written") && number(event).orElse(Long.MIN_VALUE) > own.getAsLong()
					: event.is(Kind.RETURN, "read"))
			.max(Comparator.comparingLong(HistoryEvent::storedAt))
			.map(HistoryEvent::subject)
			.filter((one) -> !one.equals(refused.subject()));
	}

	/** The number of a writer, where the store compares numbers. */
	private static OptionalLong number(HistoryEvent write) {
		String fence = write.detail("fence");
		return fence.startsWith(NUMBER) ? OptionalLong.of(Long.parseLong(fence.substring(NUMBER.length())))
				: OptionalLong.empty();
	}

	private Optional<String> recovery(RoundVerdict verdict) {
		return verdict.recovered() ? Optional.empty() : Optional.of(text("verdict.not-recovered"));
	}

	private Optional<String> end(JudgedRound round) {
		if (round.record().scenario().equals("design") && !round.expected().equals(Expectation.SHOWN)) {
			return Optional.of(text((round.ending() == RoundOutcome.OTHERWISE) ? "verdict.not-real" : "verdict.real"));
		}
		if (round.ending() == RoundOutcome.OTHERWISE) {
			return Optional.of(text("verdict.otherwise", expected(round.expected())));
		}
		return isOpen(round) ? Optional.empty()
				: Optional.of(text(round.expected().equals(Expectation.SHOWN) ? "verdict.shown" : "verdict.described"));
	}

	/** In free play, and of a design, nobody asks what was expected. */
	private static boolean isOpen(JudgedRound round) {
		return List.of("free", "design").contains(round.record().scenario());
	}

	/** What is expected of a round. */
	public String expected(Expectation expected) {
		if (expected.equals(Expectation.SHOWN)) {
			return text("expected.shown");
		}
		if (expected.progress() == Liveness.NONE) {
			return text("expected.NONE");
		}
		if (expected.lease() == Safety.SAFE && expected.effect() == Safety.UNSAFE) {
			return text("expected.lapsed");
		}
		boolean fenced = expected.lease() == Safety.UNSAFE && expected.effect() == Safety.SAFE;
		return join(Stream.of(Optional.ofNullable(expected.lease()).map((lease) -> text("expected.lease." + lease)),
				Optional.ofNullable(expected.effect())
					.map((effect) -> text(fenced ? "expected.fenced" : "expected.effect." + effect))));
	}

	/**
	 * What must not happen and did. Files of earlier releases have it in English only.
	 */
	public String violation(LabViolation violation) {
		return violation.key().isEmpty() ? violation.what() : text(violation.key(), violation.values().toArray());
	}

	/** Why a scenario was not played, without the subject. */
	public String why(SkippedScenario skipped) {
		return text("skipped." + skipped.reason());
	}

	/** Which scenario was not played with which engine, and why. */
	public String of(SkippedScenario skipped) {
		String title = this.words.find("scenario." + skipped.number() + ".title").orElse(skipped.title());
		return text("skipped", skipped.number(), title, this.words.engine(skipped.engine()), why(skipped));
	}

	/** What a stored report lacks. */
	public String of(OmittedReportPart truncation) {
		return text("shortened", text("shortened." + truncation.part(), truncation.values().toArray()));
	}

	/** One line for each engine: its name, and what its rounds showed, without times. */
	public List<String> summaries(List<JudgedRound> rounds) {
		Map<String, List<JudgedRound>> engines = rounds.stream()
			.collect(
					Collectors.groupingBy((round) -> round.record().engine(), LinkedHashMap::new, Collectors.toList()));
		List<String> lines = new ArrayList<>();
		engines.forEach((engine, own) -> lines.add(this.words.engine(engine) + ": " + summary(own)));
		return lines;
	}

	private String summary(List<JudgedRound> rounds) {
		Map<String, Long> counts = rounds.stream()
			.map((round) -> told(round).brief())
			.collect(Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()));
		return join(counts.entrySet()
			.stream()
			.map((found) -> Optional.of((counts.size() == 1) ? found.getKey()
					: text("verdict.rounds", found.getValue(), rounds.size(), found.getKey()))));
	}

	private String join(Stream<Optional<String>> sentences) {
		return sentences.flatMap(Optional::stream)
			.filter((sentence) -> !sentence.isEmpty())
			.collect(Collectors.joining(this.words.text("sentence.gap")));
	}

	private String text(String key, Object... values) {
		return this.words.text(key, values);
	}

}
