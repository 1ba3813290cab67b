package live.retwis.web;

/**
 * What the template of a page shows.
 */
public interface PageView {

	/** What stands around the content. */
	PageFrame frame();

}
