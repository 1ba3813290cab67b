package live.retwis.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.files.SiteResourceLoader;
import live.retwis.i18n.Language;
import live.retwis.i18n.Languages;

/**
 * The page that nginx sends while no instance answers. It needs no other file, and has
 * the texts of all languages: nginx does not know which one its reader has chosen.
 */
final class NginxErrorPage {

	/** The sections of the stylesheet that it needs. */
	private static final Pattern STYLE = Pattern
		.compile("(?s)/\\* ---- (?:tokens|base|layout|errors) ---- \\*/(.*?)(?=/\\* ----)");

	private static final String ICON = "data:image/svg+xml;base64,";

	private NginxErrorPage() {
	}

	static String of(SiteResourceLoader files, Languages languages, Templates templates) throws IOException {
		String style = STYLE.matcher(files.read("static/site.css"))
			.results()
			.map((section) -> section.group(1).strip())
			.collect(Collectors.joining("\n"));
		byte[] icon = files.read("static/icon.svg").getBytes(StandardCharsets.UTF_8);
		return templates.languageFree("away")
			.execute(new View(style, ICON + Base64.getEncoder().encodeToString(icon),
					languages.all().stream().map(Explanation::in).toList()));
	}

	private record View(String style, String icon, List<Explanation> languages) {
	}

	private record Explanation(String tag, String heading, String text, String form) {

		static Explanation in(Language language) {
			return new Explanation(language.tag(), language.text("error.503"), language.text("away.text"),
					language.text("away.form"));
		}

	}

}
