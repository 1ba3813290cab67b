package live.retwis.web;

/**
 * A feature's part of the site map.
 */
public interface SiteRoutes {

	/** Adds each page and form of the feature. */
	void addTo(SiteMap site);

}
