package live.retwis.post;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;
import live.retwis.testing.HostileText;
import live.retwis.testing.Site;
import live.retwis.text.ParsedPostText;
import live.retwis.text.TextNormalizer;
import live.retwis.web.LanguageFreeTemplate;
import live.retwis.web.Templates;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The markup of a post has the text of the post, and no elements but links. It is read as
 * XML, which is stricter than HTML.
 */
class MarkupFuzzTests {

	private static final LanguageFreeTemplate TEMPLATE = Site.shared()
		.bean(Templates.class)
		.languageFree("partials/text");

	private static final Map<String, String> ATTRIBUTES = Map.of("href",
			"(?i)https?://[^/?#@].*|/@\\w{1,30}|/tags/[\\w%.~-]+", "rel", "nofollow noopener ugc", "class",
			"url-rest|url-cut|host-cut");

	@Provide
	Arbitrary<String> texts() {
		// These two are characters of HTML, and not of XML.
		return HostileText.upTo(2_000).map((text) -> text.replaceAll("[\ufffe\uffff]", "?"));
	}

	@Property
	void thereAreOnlyLinksAndTheTextIsWhole(@ForAll("texts") String typed) throws Exception {
		String body = TextNormalizer.of(typed)
			.codePoints()
			.filter((character) -> !TextNormalizer.isControl(character))
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
		ParsedPostText text = ParsedPostText.of(body);
		Map<String, String> all = text.mentions().stream().collect(Collectors.toMap((name) -> name, (name) -> name));
		String markup = HostileText.inTime(() -> TEMPLATE
			.execute(new View(text.parts().stream().map((part) -> TextPartView.of(part, all)).toList())));
		Element shown = DocumentBuilderFactory.newInstance()
			.newDocumentBuilder()
			.parse(new InputSource(new StringReader("<p>" + markup + "</p>")))
			.getDocumentElement();
		assertThat(shown.getTextContent()).isEqualTo(body);
		NodeList elements = shown.getElementsByTagName("*");
		for (int i = 0; i < elements.getLength(); i++) {
			assertThat(elements.item(i).getNodeName()).isIn("a", "span");
			assertAllowed(elements.item(i).getAttributes());
		}
	}

	private static void assertAllowed(NamedNodeMap attributes) {
		assertThat(IntStream.range(0, attributes.getLength()).mapToObj(attributes::item))
			.allSatisfy((attribute) -> assertThat(attribute.getNodeValue())
				.matches(ATTRIBUTES.getOrDefault(attribute.getNodeName(), "not allowed")));
	}

	private record View(List<TextPartView> parts) {
	}

}
