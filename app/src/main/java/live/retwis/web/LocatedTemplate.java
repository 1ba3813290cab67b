package live.retwis.web;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Collectors;

import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import live.retwis.files.SiteResourceLoader;

/**
 * A compiled template that knows its files. JMustache tells in which line it found a name
 * that the view lacks, but not in which file.
 *
 * @param template the compiled template
 * @param paths its file, and then the files that it includes
 * @param files reads them
 */
record LocatedTemplate(Template template, List<String> paths, SiteResourceLoader files) {

	/** Characters of a page without its posts, roughly. */
	private static final int ROOM = 8_192;

	/**
	 * Renders a view.
	 * @throws IllegalStateException when the view lacks a name; the message begins with
	 * the file that uses it
	 */
	String execute(Object view) {
		StringWriter page = new StringWriter(ROOM);
		try {
			this.template.execute(view, page);
		}
		catch (MustacheException.Context ex) {
			throw new IllegalStateException(place(ex) + ": " + ex.getMessage(), ex);
		}
		return page.toString();
	}

	/** The files that have the name in that line: one, except by chance. */
	private String place(MustacheException.Context missing) {
		String found = this.paths.stream().filter((path) -> has(path, missing)).collect(Collectors.joining(" or "));
		return found.isEmpty() ? this.paths.get(0) : found;
	}

	private boolean has(String path, MustacheException.Context missing) {
		try {
			return this.files.read(path)
				.lines()
				.skip(missing.lineNo - 1L)
				.findFirst()
				.filter((line) -> line.contains(missing.key))
				.isPresent();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
