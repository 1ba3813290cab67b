package live.retwis.web;

/**
 * Adds the pages and forms of a feature to the site map.
 */
public interface RouteContributor {

	/** Adds each page and form of the feature. */
	void addTo(SiteMap site);

}
