package live.retwis.post;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.Intents;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.Viewer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The data node fails between the commit of a post and its delivery to the lists of its
 * author. After a fail-over nobody else knows of the post.
 */
@ExtendWith(RedisExtension.class)
class UnfinishedDeliveryTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private final AtomicInteger tries = new AtomicInteger();

	@Test
	@Tag("slow")
	void aDeliveryIsRepeatedWhenTheDataNodeIsBack(@OwnRedis TestRedis redis) throws IOException {
		try (FaultProxy proxy = redis.proxy(); Site behind = Site.startAt("127.0.0.1", proxy.port())) {
			Visitor alice = Visitor.registered(behind);
			CompletableFuture<FaultHandle> cut = new CompletableFuture<>();
			Mono<Boolean> cutting = Mono.fromCallable(() -> cut.complete(proxy.cut()))
				.subscribeOn(Schedulers.boundedElastic());
			post(behind, alice, (delivery) -> (this.tries.incrementAndGet() == 1) ? cutting.then(delivery) : delivery);
			cut.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join().close();
			Awaitility.await("the delivery")
				.atMost(BOUND)
				.until(() -> this.tries.get() == 2 && behind.redis().exists(Keys.INTENTS) == 0);
		}
	}

	/** Otherwise one node of a cluster that is away would make work for every post. */
	@Test
	void aDeliveryWhoseListsStayAwayIsTriedTwiceAndLeftToItsIntent() {
		String postId = post(
				(delivery) -> Mono.error(new QueryTimeoutException("away" + this.tries.incrementAndGet())));
		Awaitility.await("the intent")
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(this.site.redis().zrange(Keys.INTENTS, 0, -1))
				.anyMatch((intent) -> intent.contains("delivery " + postId)));
		assertThat(this.tries).hasValue(2);
	}

	@Test
	void aCommittedPostIsAcknowledgedWhileItsDeliveryHangs() {
		String postId = post((delivery) -> Mono.never());
		FanOutWait.settle(this.site);
		assertThat(this.author.get("/posts/" + postId).status()).isEqualTo(200);
	}

	@Test
	void aPostThatIsLostBeforeItsDeliveryIsInNoListOfItsAuthor() {
		CompletableFuture<Void> back = new CompletableFuture<>();
		String postId = post((delivery) -> (this.tries.incrementAndGet() == 1)
				? delivery.then(Mono.error(new QueryTimeoutException("away"))) : Mono.fromFuture(back).then(delivery));
		FanOutWait.settle(this.site);
		this.site.redis().del(Keys.post(postId));
		back.complete(null);
		Awaitility.await("the delivery")
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(this.site.redis().zrange(Keys.postsOf(this.author.id()), 0, -1)).isEmpty());
	}

	/**
	 * @param faults what becomes of a delivery
	 */
	private String post(Function<Mono<Void>, Mono<Void>> faults) {
		return post(this.site, this.author, faults);
	}

	private static String post(Site site, Visitor author, Function<Mono<Void>, Mono<Void>> faults) {
		Posting posting = new Posting(site.bean(PostRepository.class), site.bean(TimeSortedIdGenerator.class),
				site.bean(CommitLog.class), new FaultyDelivery(site.bean(PostDelivery.class), faults),
				site.bean(PostMetrics.class), site.bean(Intents.class));
		return Objects.requireNonNull(
				posting.post(new Viewer(author.id(), author.name()), "a post", null, "once" + System.nanoTime())
					.block(BOUND));
	}

	private record FaultyDelivery(PostDelivery delivery,
			Function<Mono<Void>, Mono<Void>> faults) implements PostDelivery {

		@Override
		public Mono<Boolean> isPulled(String authorId) {
			return this.delivery.isPulled(authorId);
		}

		@Override
		public int publicTimelineSize() {
			return this.delivery.publicTimelineSize();
		}

		@Override
		public Mono<Void> committed(Post post, LogPosition position, boolean pulled) {
			return Mono.defer(() -> this.faults.apply(this.delivery.committed(post, position, pulled)));
		}

		@Override
		public Mono<Boolean> isInOwnList(String postId, String authorId) {
			return this.delivery.isInOwnList(postId, authorId);
		}

	}

}
