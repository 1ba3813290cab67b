package live.retwis.importing;

import java.util.Arrays;
import java.util.BitSet;

import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The numbers that all users have in the PHP Retwis, and which of these users are
 * imported already. It takes eight bytes of memory for each user.
 */
class ImportedUserIndex {

	private final long[] numbers;

	private final BitSet imported;

	private ImportedUserIndex(long[] numbers) {
		this.numbers = numbers;
		this.imported = new BitSet(numbers.length);
	}

	static Mono<ImportedUserIndex> of(RetwisLayout layout) {
		return RetwisNumber.distinct(layout.users()).map(ImportedUserIndex::new);
	}

	/** The id on this site of the user with this number in the PHP Retwis. */
	static String idOf(long number) {
		return TimeSortedIdGenerator.of(0, number);
	}

	/** Numbers of all users, the lowest first. */
	Flux<Long> all() {
		return Flux.fromStream(() -> Arrays.stream(this.numbers).boxed());
	}

	/** Numbers of the users who are imported already. */
	Flux<Long> imported() {
		return all().filter(this::contains);
	}

	synchronized void add(long number) {
		this.imported.set(Arrays.binarySearch(this.numbers, number));
	}

	/** Whether the user is imported already. */
	synchronized boolean contains(long number) {
		int index = Arrays.binarySearch(this.numbers, number);
		return index >= 0 && this.imported.get(index);
	}

}
