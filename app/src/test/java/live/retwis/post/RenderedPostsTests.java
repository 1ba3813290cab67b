package live.retwis.post;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import live.retwis.restriction.HiddenAuthors;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** An instance renders a post once, for all its readers. */
class RenderedPostsTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final Site site = Site.shared();

	private final RenderedPosts posts = this.site.bean(RenderedPosts.class);

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	private final String post = this.alice.post("rendered once");

	private static <T> T got(Mono<T> value) {
		return value.blockOptional(SOON).orElseThrow();
	}

	private RenderedPost rendered() {
		return got(this.posts.find(this.post));
	}

	/** The post in the list of a viewer. */
	private RenderedPost listed(HiddenAuthors hidden) {
		String hiddenToo = this.bob.post("beside it");
		List<RenderedPost> list = got(this.posts.findAll(List.of(this.post, hiddenToo), hidden));
		assertThat(list).hasSize(hidden.isNobody() ? 2 : 1);
		return list.get(0);
	}

	@Test
	void readersWhoSeeDifferentListsGetTheSameBytesOfAPost() {
		RenderedPost one = rendered();
		assertThat(rendered()).isSameAs(one);
		assertThat(listed(HiddenAuthors.NOBODY).utf8()).isSameAs(one.utf8());
		assertThat(listed(new HiddenAuthors(Set.of(this.bob.id()), Set.of())).utf8()).isSameAs(one.utf8());
		assertThat(listed(new HiddenAuthors(Set.of(), Set.of(this.bob.id()))).utf8()).isSameAs(one.utf8());
	}

	@Test
	void aPostWithANewCountIsRenderedOnceMoreAndSharedAgain() {
		RenderedPost before = rendered();
		assertThat(this.bob.submit("/posts/" + this.post + "/like").status()).isEqualTo(303);
		Awaitility.await().atMost(SOON).until(() -> rendered().counts().get(PostCountType.LIKES) == 1);
		RenderedPost liked = rendered();
		assertThat(liked.utf8()).isNotSameAs(before.utf8());
		assertThat(before.counts().get(PostCountType.LIKES)).isZero();
		assertThat(rendered()).isSameAs(liked);
		assertThat(listed(HiddenAuthors.NOBODY).utf8()).isSameAs(liked.utf8());
		assertThat(listed(new HiddenAuthors(Set.of(), Set.of(this.bob.id()))).utf8()).isSameAs(liked.utf8());
	}

}
