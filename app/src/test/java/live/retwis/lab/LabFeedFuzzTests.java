package live.retwis.lab;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.live.LiveProperties;
import live.retwis.testing.HostileText;
import live.retwis.web.HeartbeatProperties;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever a page says that it has received of a run. */
class LabFeedFuzzTests {

	private static final String RUN = "0AAAAAAAAAAAA";

	/** The number of the newest event. */
	private static final int LAST = 5;

	private static final Pattern KNOWN = Pattern.compile(RUN + "-0{0,17}([0-" + LAST + "])");

	private static final LabFeed FEED = feed();

	private static LabFeed feed() {
		LabFeed feed = new LabFeed(new LiveProperties(8, DataSize.ofMegabytes(1), Duration.ofMinutes(45), Duration.ZERO,
				LiveProperties.Writer.SHARED), new HeartbeatProperties(Duration.ofSeconds(15)));
		feed.begin(new RunSummary(RUN, 1, "8a", "held", List.of("raw"), 5, 1000, 100, 1, 1, List.of(), Map.of(), ""));
		for (int i = 1; i < LAST; i++) {
			feed.tell("judged", "verdict");
		}
		return feed;
	}

	@Provide
	Arbitrary<String> positions() {
		Arbitrary<String> runs = Arbitraries.oneOf(Arbitraries.of(RUN, "0", "0BBBBBBBBBBBB", RUN + "0", ""),
				HostileText.upTo(20));
		Arbitrary<String> numbers = Arbitraries.oneOf(Arbitraries.longs().between(-2, LAST + 2).map(String::valueOf),
				Arbitraries.longs().between(0, LAST).map("%018d"::formatted),
				Arbitraries.longs().between(0, LAST).map("%019d"::formatted), Arbitraries.longs().map(String::valueOf),
				HostileText.upTo(30));
		return Arbitraries.oneOf(HostileText.upTo(20_000),
				Combinators.combine(runs, numbers).as((run, number) -> run + "-" + number));
	}

	@Property
	void aPageGoesOnWhereItWasOrBeginsAgain(@ForAll("positions") String asked) {
		StringBuilder frames = new StringBuilder();
		HostileText
			.inTime(() -> FEED.stream(Optional.of(asked))
				.subscribe((frame) -> frames.append(new String(frame, StandardCharsets.UTF_8))))
			.dispose();
		Matcher known = KNOWN.matcher(asked);
		boolean goesOn = known.matches();
		int from = goesOn ? Integer.parseInt(known.group(1)) : 0;
		assertThat(frames).matches("(?s)retry: \\d{3,4}\nid: " + RUN + "-" + from + "\nevent: position\ndata: -\n.*");
		assertThat(frames.toString().contains("event: reset\n")).isEqualTo(!goesOn);
		assertThat(Pattern.compile("(?m)^event: (?:run|judged)$").matcher(frames).results()).hasSize(LAST - from);
		assertThat(FEED.watchers()).isZero();
	}

}
