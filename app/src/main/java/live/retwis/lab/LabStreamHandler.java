package live.retwis.lab;

import live.retwis.live.StreamLimit;
import live.retwis.live.StreamResponse;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;

/**
 * The stream of the lab. It is open to everybody.
 */
@ConditionalOnLab
class LabStreamHandler implements SiteRoutes {

	private final LabFeed feed;

	private final StreamLimit limit;

	LabStreamHandler(LabFeed feed, StreamLimit limit) {
		this.feed = feed;
		this.limit = limit;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get("/live/lab", (request) -> StreamResponse.of(request, (answer) -> this.limit.within(request.exchange(),
				"", (over) -> this.feed.stream(StreamResponse.position(request)).doFinally((signal) -> over.run()))));
	}

}
