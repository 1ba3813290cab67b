package live.retwis.limit;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConfigurationBuilder;

import org.springframework.boot.convert.DurationStyle;

/**
 * How often something may be done, such as {@code 10/1m,200/1h}: ten times in a minute
 * and 200 times in an hour. Each rate is a token bucket. So the ten may be done at once,
 * and then one more every six seconds.
 *
 * @param all the rates, all of which must allow it
 */
public record RateLimitSpec(List<Rate> all) {

	/**
	 * Reads rates. Settings are converted by this method.
	 * @throws IllegalArgumentException when they cannot be read
	 */
	public static RateLimitSpec valueOf(String text) {
		return new RateLimitSpec(Arrays.stream(text.split(",")).map(RateLimitSpec::rate).toList());
	}

	private static Rate rate(String text) {
		String[] parts = text.strip().split("/");
		if (parts.length != 2) {
			throw new IllegalArgumentException("'" + text + "' is not a rate such as 10/1m");
		}
		return new Rate(Integer.parseInt(parts[0]), DurationStyle.detectAndParse(parts[1]));
	}

	BucketConfiguration buckets() {
		ConfigurationBuilder configuration = BucketConfiguration.builder();
		this.all.forEach((rate) -> configuration
			.addLimit((limit) -> limit.capacity(rate.most()).refillGreedy(rate.most(), rate.period())));
		return configuration.build();
	}

	@Override
	public String toString() {
		return this.all.stream()
			.map((rate) -> rate.most() + "/" + DurationStyle.SIMPLE.print(rate.period()))
			.collect(Collectors.joining(","));
	}

	/**
	 * One rate.
	 *
	 * @param most how often in the period, at least once
	 * @param period the period
	 */
	public record Rate(int most, Duration period) {

		public Rate {
			if (most < 1 || period.isZero() || period.isNegative()) {
				throw new IllegalArgumentException("A rate is at least one in a time");
			}
		}

	}

}
