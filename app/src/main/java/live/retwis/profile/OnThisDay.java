package live.retwis.profile;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

import live.retwis.post.PostListPage;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.DataClock;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.timeline.AuthorPostListReader;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.stereotype.Component;

/** Finds what a user posted on this day of former years. */
@Component
class OnThisDay {

	private static final int YEARS = 20;

	private static final int MOST = 50;

	private final AuthorPostListReader authorPosts;

	private final RenderedPosts posts;

	private final DataClock clock;

	OnThisDay(AuthorPostListReader authorPosts, RenderedPosts posts, DataClock clock) {
		this.authorPosts = authorPosts;
		this.posts = posts;
		this.clock = clock;
	}

	/**
	 * The user's latest posts of this day, newest first.
	 * @param hidden whose posts the viewer does not see
	 */
	Mono<PostListPage> posts(String userId, HiddenAuthors hidden) {
		HiddenAuthors here = hidden.onProfileOf(userId);
		return here.contains(userId) ? Mono.just(PostListPage.EMPTY)
				: this.clock.millis()
					.flatMap((now) -> this.authorPosts.within(userId, formerYears(now), MOST))
					.flatMap((ids) -> this.posts.find(ids, here, false))
					.map((slice) -> new PostListPage(slice.whole()));
	}

	/**
	 * This day of each former year, in UTC. The 29th of February is there in leap years
	 * alone.
	 */
	static List<Range<Long>> formerYears(long now) {
		LocalDate today = LocalDate.ofInstant(Instant.ofEpochMilli(now), ZoneOffset.UTC);
		return IntStream.rangeClosed(1, YEARS)
			.mapToObj(today::minusYears)
			.filter((day) -> day.getDayOfMonth() == today.getDayOfMonth())
			.map((day) -> Range.closed(millis(day), millis(day.plusDays(1)) - 1))
			.toList();
	}

	private static long millis(LocalDate day) {
		return day.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
	}

}
