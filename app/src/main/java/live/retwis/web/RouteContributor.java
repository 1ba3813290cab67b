package live.retwis.web;

/**
 * Adds the pages and forms of a feature to the table of routes.
 */
public interface RouteContributor {

	/** Adds each page and form of the feature. */
	void addTo(RouteTable routes);

}
