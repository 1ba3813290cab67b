package live.retwis.timeline;

import java.util.List;
import java.util.Optional;

import live.retwis.post.PostPage;
import live.retwis.post.PostRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads pages of timelines in two round trips: the places in the list, and whatever the
 * page shows beside it; the posts that are not known here. The position of a list that
 * fan-out fills is sampled before its places are read.
 */
@Component
class TimelinePages {

	private final TimelineRepository timelines;

	private final HomePlaces homes;

	private final PulledPosts pulled;

	private final PostRepository posts;

	private final FanOutProgress progress;

	TimelinePages(TimelineRepository timelines, HomePlaces homes, PulledPosts pulled, PostRepository posts,
			FanOutProgress progress) {
		this.timelines = timelines;
		this.homes = homes;
		this.pulled = pulled;
		this.posts = posts;
		this.progress = progress;
	}

	/** A user's home timeline; empty when what is beside it is. */
	<T> Mono<TimelinePage<T>> home(String userId, Optional<Cursor> before, int count, Mono<T> beside) {
		int places = PostRepository.placesFor(count);
		return this.progress.position()
			.map(this.pulled::upTo)
			.flatMap((position) -> Mono.zip(this.homes.read(userId, before, places), beside)
				.flatMap((read) -> home(userId, read.getT1(), before, count)
					.map((page) -> new TimelinePage<>(page, position, read.getT2()))));
	}

	/** Whether the timeline is whole is read together with the posts. */
	private Mono<PostPage> home(String userId, HomePlaces.Read read, Optional<Cursor> before, int count) {
		Mono<PostPage> page = homePage(userId, read, count);
		return read.filled() ? page
				: Mono
					.zip(page,
							this.homes.beyond(userId, before, PostRepository.placesFor(count))
								.map(Optional::of)
								.defaultIfEmpty(Optional.empty()))
					.flatMap((known) -> known.getT2()
						.map((all) -> homePage(userId, HomePlaces.Read.of(all), count))
						.orElse(Mono.just(known.getT1())));
	}

	private Mono<PostPage> homePage(String userId, HomePlaces.Read read, int count) {
		read.places().forEach(this.timelines::learn);
		return page(Keys.homeTimeline(userId), read.ids(), count);
	}

	/** A user's own posts; empty when what is beside them is. */
	<T> Mono<TimelinePage<T>> postsOf(String userId, Optional<Cursor> before, int count, Mono<T> beside) {
		return fannedOut(Keys.postsOf(userId), before, count, beside);
	}

	private <T> Mono<TimelinePage<T>> fannedOut(String key, Optional<Cursor> before, int count, Mono<T> beside) {
		Mono<List<String>> newest = this.timelines.newest(key, before, PostRepository.placesFor(count));
		return this.progress.position()
			.flatMap((position) -> Mono.zip(newest, beside)
				.flatMap((read) -> page(key, read.getT1(), count)
					.map((page) -> new TimelinePage<>(page, position, read.getT2()))));
	}

	private Mono<PostPage> page(String key, List<String> postIds, int count) {
		return Mono.zip(this.posts.findAll(postIds), this.timelines.places(key, PostPage.ends(postIds, count)),
				(found, places) -> PostPage.of(key, postIds, found, places, count));
	}

	/**
	 * The public timeline, whose places and position are of one moment. What is beside it
	 * may take two round trips of its own at the same time.
	 */
	<T> Mono<TimelinePage<T>> everyone(Optional<Cursor> before, int count, Mono<T> beside) {
		Mono<TimelinePage<Boolean>> timeline = this.timelines.publicPage(before, PostRepository.placesFor(count))
			.flatMap((read) -> page(Keys.PUBLIC_TIMELINE, read.postIds(), count)
				.map((page) -> new TimelinePage<>(page, Optional.ofNullable(read.position()), true)));
		return Mono.zip(timeline, beside, (read, other) -> new TimelinePage<>(read.posts(), read.position(), other));
	}

}
