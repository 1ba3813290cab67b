package live.retwis.locks.nodes.testing.bench;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class FigureFileTests {

	@Test
	void whatIsWrittenIsReadAgain(@TempDir Path directory) throws Exception {
		FigureFile file = FigureFile.today("pages", "Pages", "mvn -Pbench verify",
				List.of(Figure.of("/home", "requests/s", List.of(10_998.4321, 0.0625)).atLeast(1.0 / 3),
						Figure.of("a page: p99", "ms", List.of(3.0)).neverAbove(20),
						Figure.of("a ratio", "×", List.of(1.5)).atMost(2), Figure.once("bytes", "", 0)));
		file.write(directory);
		assertThat(FigureFile.in(directory))
			.containsExactly(new FigureFile("pages", "Pages", file.date(), file.machine(), file.command(),
					List.of(Figure.of("/home", "requests/s", List.of(10_998.4, 0.0625)).atLeast(0.333333),
							Figure.of("a page: p99", "ms", List.of(3.0)).neverAbove(20),
							Figure.of("a ratio", "×", List.of(1.5)).atMost(2), Figure.once("bytes", "", 0))));
	}

	@Test
	void aDirectoryThatIsNotThereHasNoFiles(@TempDir Path directory) throws Exception {
		assertThat(FigureFile.in(directory.resolve("nothing"))).isEmpty();
	}

	@Test
	void anAimIsForTheMedianOrForEachRound() {
		List<Double> rounds = List.of(3.0, 1.0, 2.0, 10.0);
		assertThat(Figure.of("", "ms", rounds).value()).isEqualTo(2.5);
		assertThat(Figure.of("", "ms", rounds).atMost(2.5).isReached()).isTrue();
		assertThat(Figure.of("", "ms", rounds).atMost(2.4).isReached()).isFalse();
		assertThat(Figure.of("", "ms", rounds).atLeast(2.5).isReached()).isTrue();
		assertThat(Figure.of("", "ms", rounds).atLeast(2.6).isReached()).isFalse();
		assertThat(Figure.of("", "ms", rounds).neverAbove(10).isReached()).isTrue();
		assertThat(Figure.of("", "ms", rounds).neverAbove(9).isReached()).isFalse();
	}

	@Test
	void whatWasNotMeasuredIsNoFigure() {
		assertThatIllegalArgumentException().isThrownBy(() -> Figure.of("p99", "ms", List.of()));
		assertThatIllegalArgumentException().isThrownBy(() -> Figure.once("p99", "ms", Double.NaN));
	}

	@Test
	void theCommandHasTheOptionsThatWereSet() {
		System.setProperty("bench.jvm", "-Xmx1g -Xms1g");
		System.setProperty("bench.always", "");
		try {
			assertThat(FigureFile.today("pages", "Pages", "mvn verify", List.of()).command())
				.isEqualTo("mvn verify -Dbench.always= '-Dbench.jvm=-Xmx1g -Xms1g'");
		}
		finally {
			System.clearProperty("bench.jvm");
			System.clearProperty("bench.always");
		}
	}

}
