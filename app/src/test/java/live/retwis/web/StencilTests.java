package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.buffer.DefaultDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a stencil fills in is what its template would have made.
 */
class StencilTests {

	private static final Frame FRAME = new Frame(Language.EN, Localized.verbatim(""), "", null, null, "", null,
			List.of());

	private static final Markup NONE = new Markup(List.of());

	private final Templates templates = new Templates();

	private final PageTemplate pages = this.templates.page("partials/pages");

	private final PageTemplate feed = this.templates.page("partials/feed");

	@Test
	void fillsInWhatTheTemplateWouldHaveMade() {
		Stencil stencil = Stencil.of(this.pages, new Links(Stencil.place(1), Stencil.place(0)));
		String newest = "/home?a=1&b=<\"'>\u2028é";
		assertThat(filled(stencil, NONE, "/older", newest)).isEqualTo(this.pages.execute(new Links(newest, "/older")));
	}

	@Test
	void leavesOutWhatTheViewDoesNotHave() {
		Stencil stencil = Stencil.of(this.pages, new Links(null, Stencil.place(0)));
		assertThat(filled(stencil, NONE, "/older")).isEqualTo(this.pages.execute(new Links(null, "/older")));
	}

	@Test
	void aValueThatIsNotShownIsPassedOver() {
		Stencil stencil = Stencil.of(this.pages, new Links(null, null));
		assertThat(filled(stencil, NONE, "/older")).doesNotContain("older");
	}

	@Test
	void putsMarkupInAsItIs() {
		Stencil stencil = Stencil.of(this.feed, new Feed(Stencil.markup(), Stencil.place(0)));
		Markup posts = new Markup(
				List.of("<b>1</b>".getBytes(StandardCharsets.UTF_8), "<b>2 é</b>".getBytes(StandardCharsets.UTF_8)));
		String plain = this.feed.execute(new Feed(Stencil.markup(), "/older"));
		assertThat(filled(stencil, posts, "/older")).isEqualTo(plain.replace("\0", "<b>1</b><b>2 é</b>"))
			.contains("<b>1</b><b>2 é</b></div>");
	}

	private static String filled(Stencil stencil, Markup markup, String... values) {
		return stencil.fill(DefaultDataBufferFactory.sharedInstance, markup, values).toString(StandardCharsets.UTF_8);
	}

	private record Links(Frame frame, @Nullable String newest, @Nullable String older) implements PageView {

		Links(@Nullable String newest, @Nullable String older) {
			this(FRAME, newest, older);
		}

	}

	private record Feed(Markup posts, Frame frame, @Nullable String newest,
			@Nullable String older) implements PageView {

		Feed(Markup posts, String older) {
			this(posts, FRAME, null, older);
		}

	}

}
