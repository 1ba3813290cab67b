package live.retwis.live;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.live.DeliveryMetrics.Delays;
import live.retwis.logging.InstanceName;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Shows how fast posts travel through the instance that answers. It answers with a page,
 * or with the figures as JSON. A page that is open compares those with its own
 * measurements.
 */
@Component
class DeliveryLatencyHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final InstanceName instance;

	private final DeliveryMetrics metrics;

	DeliveryLatencyHandler(Templates templates, PageFrames frames, InstanceName instance, DeliveryMetrics metrics) {
		this.page = templates.page("how-live");
		this.frames = frames;
		this.instance = instance;
		this.metrics = metrics;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/how-live", this::figures);
	}

	private Mono<ServerResponse> figures(ServerRequest request) {
		return HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(json())
				: this.frames.of(request.exchange(), Message.of("how-live.title"))
					.flatMap((frame) -> HtmlResponses.page(this.page, view(frame)));
	}

	/**
	 * The figures as JSON. {@code now} is the data node's time in ms, so that a browser
	 * whose clock is off can compare.
	 */
	private Map<String, Object> json() {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("instance", this.instance.toString());
		this.metrics.now().ifPresent((micros) -> json.put("now", micros / 1000));
		json.put("received", this.metrics.receivedAfter());
		json.put("written", this.metrics.writtenAfter());
		return json;
	}

	private View view(PageFrame frame) {
		List<Way> ways = Stream
			.of(new Way(Message.of("how-live.to-instance"), this.metrics.receivedAfter()),
					new Way(Message.of("how-live.to-pages"), this.metrics.writtenAfter()))
			.filter((way) -> way.after().p50() > 0)
			.toList();
		return new View(frame, this.instance.toString(), ways, this.metrics.streams(StreamSelection.Kind.HOME),
				this.metrics.streams(StreamSelection.Kind.EVERYONE), this.metrics.streams(StreamSelection.Kind.AUTHOR),
				this.metrics.streams(StreamSelection.Kind.TAG),
				this.metrics.streams(StreamSelection.Kind.CONVERSATION));
	}

	private record View(PageFrame frame, String instance, List<Way> ways, int home, int everyone, int author, int tag,
			int conversation) implements PageView {
	}

	private record Way(Localized name, Delays after) {
	}

}
