package live.retwis.web;

/**
 * What a page's template sees.
 */
public interface PageView {

	/** What is around the content. */
	PageFrame frame();

}
