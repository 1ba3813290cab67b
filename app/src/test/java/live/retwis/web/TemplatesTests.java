package live.retwis.web;

import java.util.List;

import live.retwis.i18n.Languages;
import live.retwis.i18n.Localized;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is said about a name that a view lacks.
 */
class TemplatesTests {

	private static final PageFrame FRAME = new PageFrame(Site.shared().bean(Languages.class).all().get(0),
			Localized.verbatim(""), "", null, null, "", null, "", false, 15_000, List.of(), List.of(),
			PageAddress.HERE);

	private final Templates templates = Site.shared().bean(Templates.class);

	@Test
	void aMissingNameIsReportedWithTheFileOfThePage() {
		assertMissing("settings", new Empty(FRAME),
				"templates/settings.mustache: No method or field with name 'notice'");
	}

	@Test
	void aMissingNameInAPartialIsReportedWithTheFileOfThePartial() {
		assertMissing("compose", new Compose(FRAME, new Form("", "/home")), "templates/partials/compose.mustache: ");
	}

	private void assertMissing(String page, PageView view, String message) {
		PageTemplate template = this.templates.page(page);
		assertThatThrownBy(() -> template.execute(view)).isInstanceOf(IllegalStateException.class)
			.hasMessageStartingWith(message);
	}

	private record Empty(PageFrame frame) implements PageView {
	}

	private record Compose(PageFrame frame, Form compose) implements PageView {
	}

	private record Form(String replyTo, String next) {
	}

}
