package live.retwis.xray;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** What X-ray shows on a page. */
final class XrayPanels {

	private static final Pattern COMMAND = Pattern.compile("(?s)<li><code>(<a class=\"xray-command\".*?)</code>");

	private static final Pattern EXPLANATION = Pattern.compile("<a class=\"xray-command\" href=\"([^\"]+)\"");

	private static final Pattern EXPLAINED = Pattern.compile("<section class=\"xray-about\" id=\"([^\"]+)\"");

	private XrayPanels() {
	}

	static String panel(Answer page) {
		int begin = page.body().indexOf("<section class=\"xray\"");
		assertThat(begin).as(page.body()).isPositive();
		assertThat(page.body().indexOf("</main>")).isGreaterThan(begin);
		return page.body().substring(begin, page.body().indexOf("</main>"));
	}

	/**
	 * What no page may show: passwords, tokens, and what is derived from them.
	 * @param visitors they may be signed out
	 */
	static List<String> secretsOf(Visitor... visitors) {
		List<String> secrets = new ArrayList<>(List.of(Visitor.PASSWORD, "$2a$", "{bcrypt"));
		for (Visitor visitor : visitors) {
			String session = visitor.cookie("auth");
			if (!session.isEmpty()) {
				String token = session.substring(session.indexOf('.') + 1);
				secrets.addAll(List.of(token, sha256(token), sha256(sha256(token)).substring(0, 16)));
			}
			String device = visitor.cookie("device");
			if (!device.isEmpty()) {
				secrets.add(device);
			}
		}
		return secrets;
	}

	private static String sha256(String text) {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new AssertionError(ex);
		}
	}

	/** Where the panel's commands are explained. */
	static Set<String> explanations(Answer page) {
		return all(EXPLANATION, panel(page));
	}

	/** The addresses of all explanations. */
	static Set<String> explained(Answer reference) {
		return all(EXPLAINED, reference.body()).stream()
			.map((id) -> "/xray/commands#" + id)
			.collect(Collectors.toSet());
	}

	private static Set<String> all(Pattern pattern, String html) {
		return pattern.matcher(html).results().map((found) -> found.group(1)).collect(Collectors.toSet());
	}

	/** The commands of the panel, as lines. */
	static List<String> commands(Answer page) {
		return commands(panel(page));
	}

	/** The commands of the form that led to the page, as lines. */
	static List<String> commandsOfForm(Answer page) {
		String panel = panel(page);
		return commands(panel.substring(panel.indexOf("What the form did"), panel.indexOf("What this page asked")));
	}

	private static List<String> commands(String panel) {
		return COMMAND.matcher(panel)
			.results()
			.map((found) -> HtmlUtils.htmlUnescape(found.group(1).replaceAll("<[^>]*>", "")).strip())
			.toList();
	}

}
