package live.retwis.lab;

import live.retwis.live.StreamResponse;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;

/**
 * The stream of the lab. It is open to everybody.
 */
@ConditionalOnLab
class LabStreamHandler implements SiteRoutes {

	private final LabFeed feed;

	LabStreamHandler(LabFeed feed) {
		this.feed = feed;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get("/live/lab", (request) -> StreamResponse.of(request,
				(answer) -> this.feed.stream(StreamResponse.position(request))));
	}

}
