package live.retwis.attack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import live.retwis.attack.Person.Page;
import live.retwis.testing.Visitor;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.awaitility.Awaitility;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users who behave: readers who open pages and have streams, authors who post as often as
 * they may, and others who log in and out. Each has an address of their own.
 */
final class HonestCrowd implements AutoCloseable {

	private static final int AUTHORS = 5;

	private static final int READERS = 50;

	private static final int RETURNING = 16;

	/** The home stream and public ones. */
	private static final int STREAMS_OF_A_READER = 4;

	/** Ten posts a minute are allowed. */
	private static final Duration BETWEEN_POSTS = Duration.ofSeconds(7);

	private static final Duration BETWEEN_PAGES = Duration.ofSeconds(2);

	private static final Duration BETWEEN_LOGINS = Duration.ofSeconds(12);

	/** Registrations at the same time. */
	private static final int REGISTERING = 2;

	private static final Duration LIMIT = Duration.ofMinutes(2);

	/** Ordinary threads, which BlockHound does not check. */
	private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, Executors.defaultThreadFactory(),
			NioIoHandler.newFactory());

	private final Disposable.Composite working = Disposables.composite();

	private final Disposable.Composite writing = Disposables.composite();

	private final Queue<String> troubles = new ConcurrentLinkedQueue<>();

	private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

	private final Histogram pages = new SynchronizedHistogram(3);

	private final Histogram logins = new SynchronizedHistogram(3);

	private final Histogram newDevices = new SynchronizedHistogram(3);

	private final List<ResumedStream> streams = new ArrayList<>();

	private final List<Person> authors;

	private final List<Person> readers;

	private final List<Person> returning;

	private HonestCrowd(String origin) {
		List<Person> all = Flux.range(2, AUTHORS + READERS + RETURNING)
			.map((number) -> new Person(this.loops, origin, "127.0.0." + number))
			.flatMapSequential(Person::register, REGISTERING)
			.collectList()
			.blockOptional(LIMIT)
			.orElseThrow();
		this.authors = all.subList(0, AUTHORS);
		this.readers = all.subList(AUTHORS, AUTHORS + READERS);
		this.returning = all.subList(AUTHORS + READERS, all.size());
	}

	/**
	 * Registers all and opens the streams.
	 * @param life after this time a stream is closed, and opened again
	 */
	static HonestCrowd start(String origin, Supplier<Duration> life) {
		HonestCrowd crowd = new HonestCrowd(origin);
		Flux.fromIterable(crowd.readers)
			.flatMap((reader) -> Flux.fromIterable(crowd.authors)
				.concatMap((author) -> reader.submit("/@" + author.name() + "/follow"))
				.concatMap((page) -> page.expect(200)), REGISTERING)
			.then()
			.block(LIMIT);
		for (Person reader : crowd.readers) {
			IntStream.range(0, STREAMS_OF_A_READER)
				.mapToObj((i) -> new ResumedStream(reader, (i == 0) ? "/live/home" : "/live/public", crowd.troubles))
				.forEach(crowd.streams::add);
		}
		crowd.streams.forEach((stream) -> crowd.working.add(stream.open(life.get())));
		Awaitility.await("all streams")
			.atMost(LIMIT)
			.until(() -> crowd.streams.stream().allMatch(ResumedStream::hasBegun));
		crowd.readers.forEach((reader) -> crowd.again(crowd.working, BETWEEN_PAGES, crowd.read(reader)));
		crowd.authors.forEach((author) -> crowd.again(crowd.writing, BETWEEN_POSTS, crowd.post(author)));
		crowd.returning.forEach((person) -> crowd.again(crowd.working, BETWEEN_LOGINS, crowd.logIn(person)));
		return crowd;
	}

	/** Does it again and again, about once in this time. */
	private void again(Disposable.Composite owner, Duration time, Mono<?> deed) {
		Mono<?> noted = deed.onErrorResume((ex) -> Mono.fromRunnable(() -> this.troubles.add(ex.toString())));
		long first = ThreadLocalRandom.current().nextLong(time.toMillis());
		owner.add(Mono.delay(Duration.ofMillis(first))
			.thenMany(Flux.defer(() -> noted).repeatWhen((ends) -> ends.concatMap((end) -> Mono.delay(time))))
			.subscribe());
	}

	private Mono<Void> read(Person reader) {
		return Mono.defer(() -> {
			Random random = ThreadLocalRandom.current();
			return reader.get(switch (random.nextInt(4)) {
				case 0 -> "/timeline";
				case 1 -> "/@" + this.authors.get(random.nextInt(AUTHORS)).name();
				case 2 -> "/notifications";
				default -> "/home";
			});
		}).flatMap((page) -> timed(this.pages, page).expect(200));
	}

	private Mono<Void> post(Person author) {
		return Mono.defer(() -> author.submit("/posts", "body", "honest words", "once", UUID.randomUUID().toString()))
			.flatMap((page) -> page.expect(201).then(Mono.fromRunnable(() -> this.acknowledged.add(page.id()))))
			.then(Mono.defer(this::like));
	}

	/** A reader likes a post, and takes back the like of another one. */
	private Mono<Void> like() {
		Person reader = this.readers.get(ThreadLocalRandom.current().nextInt(READERS));
		return Flux.fromIterable(this.acknowledged)
			.take(2)
			.index()
			.concatMap((post) -> reader.submit("/posts/" + post.getT2() + ((post.getT1() == 0) ? "/like" : "/unlike")))
			.concatMap((page) -> page.expect(200))
			.then();
	}

	private Mono<Void> logIn(Person person) {
		boolean elsewhere = this.returning.indexOf(person) % 2 == 1;
		return Mono.fromRunnable(elsewhere ? person::changeDevice : person::loseSession)
			.then(person.get("/login"))
			.then(person.submit("/login", "username", person.name(), "password", Visitor.PASSWORD))
			.flatMap((page) -> timed(elsewhere ? this.newDevices : this.logins, page).expect(303))
			.then(person.get("/home"))
			.then(person.submit("/logout"))
			.flatMap((page) -> page.expect(303));
	}

	private static Page timed(Histogram times, Page page) {
		times.recordValue(page.took().toMillis());
		return page;
	}

	/** One of those who log in again and again. */
	Person victim() {
		return this.returning.get(0);
	}

	/** A further person who has registered, such as an attacker. */
	Person other(String origin, String address) {
		return new Person(this.loops, origin, address).register().blockOptional(LIMIT).orElseThrow();
	}

	/** Waits until this many more pages were seen. */
	void awaitPages(int number) {
		long before = this.pages.getTotalCount();
		Awaitility.await("pages").atMost(LIMIT).until(() -> this.pages.getTotalCount() >= before + number);
	}

	/** Forgets what was measured so far. */
	void measureAnew() {
		this.pages.reset();
		this.logins.reset();
		this.newDevices.reset();
	}

	Measured measured() {
		return new Measured(this.pages.getTotalCount(), this.pages.getValueAtPercentile(99), this.pages.getMaxValue(),
				this.logins.getTotalCount(), this.logins.getValueAtPercentile(99), this.logins.getMaxValue(),
				this.newDevices.getTotalCount(), this.newDevices.getValueAtPercentile(50),
				this.newDevices.getValueAtPercentile(95), this.newDevices.getValueAtPercentile(99),
				this.newDevices.getMaxValue());
	}

	/** What did not work, a line for each. */
	List<String> troubles() {
		return List.copyOf(this.troubles);
	}

	int posts() {
		return this.acknowledged.size();
	}

	/** How often streams were opened. */
	int opened() {
		return this.streams.stream().mapToInt(ResumedStream::opened).sum();
	}

	/** Stops the authors, and checks that each stream brought each post once. */
	void assertThatStreamsHaveEachPostOnce() {
		this.writing.dispose();
		Awaitility.await("all posts on all streams")
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(this.streams).allSatisfy((stream) -> {
				List<String> seen = new ArrayList<>(stream.posts());
				seen.retainAll(this.acknowledged);
				assertThat(new HashSet<>(seen)).as(stream.toString()).hasSameSizeAs(this.acknowledged);
				assertThat(seen).as(stream.toString()).doesNotHaveDuplicates();
			}));
	}

	@Override
	public void close() {
		this.writing.dispose();
		this.working.dispose();
		this.loops.shutdownGracefully().awaitUninterruptibly(LIMIT.toMillis());
	}

	/**
	 * Times in ms.
	 *
	 * @param pages number of pages
	 * @param logins number of log-ins in browsers that were logged in before
	 * @param newDevices number of log-ins in other browsers
	 */
	record Measured(long pages, long pageP99, long slowestPage, long logins, long loginP99, long slowestLogin,
			long newDevices, long newDeviceP50, long newDeviceP95, long newDeviceP99, long slowestNewDevice) {
	}

}
