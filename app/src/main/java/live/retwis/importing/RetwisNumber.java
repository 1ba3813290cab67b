package live.retwis.importing;

import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Numbers of users and posts of the PHP Retwis. They count from 1. */
final class RetwisNumber {

	private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,11}");

	private RetwisNumber() {
	}

	/** Reads a number; empty when the text is none. */
	static OptionalLong parse(String text) {
		return NUMBER.matcher(text).matches() ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
	}

	/**
	 * Each of the numbers once, the lowest first. It takes eight bytes of memory for
	 * each.
	 */
	static Mono<long[]> distinct(Flux<Long> numbers) {
		return numbers.collect(LongStream::builder, LongStream.Builder::add)
			.map((all) -> all.build().sorted().distinct().toArray());
	}

}
