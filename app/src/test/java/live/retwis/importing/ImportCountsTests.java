package live.retwis.importing;

import java.util.List;
import java.util.stream.IntStream;

import live.retwis.importing.ImportCounts.Kind;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

class ImportCountsTests {

	private final ImportCounts counts = new ImportCounts(20_000);

	@Test
	void progressIsToldEveryTwentyThousandItemsThoseThatWereSkippedIncluded() {
		List<String> told = Flux
			.concat(IntStream.range(0, 45_000)
				.mapToObj((i) -> (i % 10_000 == 0) ? this.counts.skipped(Kind.POST, "post " + i)
						: this.counts.done(Kind.POST))
				.toList())
			.collectList()
			.blockOptional()
			.orElseThrow();
		assertThat(told).containsSubsequence("Skipped: post 0", "Skipped: post 10000", "Posts: 20,000 so far",
				"Skipped: post 20000", "Posts: 40,000 so far", "Skipped: post 40000");
		assertThat(this.counts.summary().collectList().block()).contains("Posts: 44,995 are here now, 5 skipped",
				"Users: 0 are here now, 0 skipped");
	}

}
