package live.retwis.xray;

import java.util.List;
import java.util.Map;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * One page with a paragraph about each command and each script that the site uses. The
 * texts are those of the catalogue whose keys begin with {@code xray.command.} and
 * {@code xray.script.}.
 */
@ConditionalOnXray
class XrayCommandReferenceHandler implements RouteContributor {

	static final String PATH = "/xray/commands";

	private final PageTemplate page;

	private final PageFrames frames;

	private final Map<String, String> costs;

	XrayCommandReferenceHandler(Templates templates, PageFrames frames, KnownScripts scripts) {
		this.page = templates.page("xray-commands");
		this.frames = frames;
		this.costs = scripts.costs();
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH, RateLimit.XRAY, this::show);
	}

	private Mono<ServerResponse> show(ServerRequest request) {
		return this.frames.of(request.exchange(), Message.of("xray.commands-title"))
			.flatMap((frame) -> HtmlResponses.page(this.page, new View(frame, explanations(frame, "xray.command.", ""),
					explanations(frame, "xray.script.", ".lua"))));
	}

	/** The paragraphs of commands have their cost in their text. */
	private List<Explanation> explanations(PageFrame frame, String prefix, String ending) {
		return frame.language()
			.texts(prefix)
			.entrySet()
			.stream()
			.map((text) -> new Explanation(text.getKey(), text.getKey() + ending, text.getValue(),
					this.costs.getOrDefault(text.getKey(), "")))
			.toList();
	}

	private record View(PageFrame frame, List<Explanation> commands, List<Explanation> scripts) implements PageView {
	}

	/**
	 * A paragraph.
	 *
	 * @param id name of the command or the script
	 * @param title heading of the paragraph
	 * @param about the paragraph
	 * @param cost what a script costs
	 */
	private record Explanation(String id, String title, String about, String cost) {
	}

}
