package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import live.retwis.i18n.Languages;
import live.retwis.i18n.Localized;
import live.retwis.testing.Site;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.buffer.DefaultDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A skeleton that is filled in is the same as the rendered template.
 */
class PageSkeletonTests {

	private static final PageFrame FRAME = new PageFrame(Site.shared().bean(Languages.class).all().get(0),
			Localized.verbatim(""), "", null, null, "", null, "", false, 15_000, List.of(), List.of(),
			PageAddress.HERE);

	private static final RenderedMarkup NONE = new RenderedMarkup(List.of());

	private final Templates templates = Site.shared().bean(Templates.class);

	private final PageTemplate pages = this.templates.page("partials/pages");

	private final PageTemplate feed = this.templates.page("partials/feed");

	@Test
	void makesTheSamePageAsTheTemplate() {
		PageSkeleton pageSkeleton = PageSkeleton.of(this.pages,
				new Links(PageSkeleton.mark(Place.NEWEST), PageSkeleton.mark(Place.OLDER)));
		String newest = "/home?a=1&b=<\"'>\u2028é";
		assertThat(filled(pageSkeleton, NONE, Map.of(Place.OLDER, "/older", Place.NEWEST, newest)))
			.isEqualTo(this.pages.execute(new Links(newest, "/older")));
	}

	@Test
	void leavesOutWhatTheViewDoesNotHave() {
		PageSkeleton pageSkeleton = PageSkeleton.of(this.pages, new Links(null, PageSkeleton.mark(Place.OLDER)));
		assertThat(filled(pageSkeleton, NONE, Map.of(Place.OLDER, "/older")))
			.isEqualTo(this.pages.execute(new Links(null, "/older")));
	}

	@Test
	void ignoresAValueThatThePageDoesNotShow() {
		PageSkeleton pageSkeleton = PageSkeleton.of(this.pages, new Links(null, null));
		assertThat(filled(pageSkeleton, NONE, Map.of(Place.OLDER, "/older"))).doesNotContain("older");
	}

	@Test
	void writesMarkupUnchanged() {
		PageSkeleton pageSkeleton = PageSkeleton.of(this.feed,
				new Feed(PageSkeleton.markup(), PageSkeleton.mark(Place.OLDER)));
		RenderedMarkup posts = new RenderedMarkup(
				List.of("<b>1</b>".getBytes(StandardCharsets.UTF_8), "<b>2 é</b>".getBytes(StandardCharsets.UTF_8)));
		String plain = this.feed.execute(new Feed(PageSkeleton.markup(), "/older"));
		assertThat(filled(pageSkeleton, posts, Map.of(Place.OLDER, "/older")))
			.isEqualTo(plain.replace("\0", "<b>1</b><b>2 é</b>"))
			.contains("<b>1</b><b>2 é</b></div>");
	}

	private static String filled(PageSkeleton pageSkeleton, RenderedMarkup markup, Map<Place, String> values) {
		return pageSkeleton.fill(DefaultDataBufferFactory.sharedInstance, markup, values)
			.toString(StandardCharsets.UTF_8);
	}

	private enum Place {

		OLDER, NEWEST

	}

	private record Links(PageFrame frame, @Nullable String newest, @Nullable String older) implements PageView {

		Links(@Nullable String newest, @Nullable String older) {
			this(FRAME, newest, older);
		}

	}

	private record Feed(RenderedMarkup posts, PageFrame frame, @Nullable String newest,
			@Nullable String older) implements PageView {

		Feed(RenderedMarkup posts, String older) {
			this(posts, FRAME, null, older);
		}

	}

}
