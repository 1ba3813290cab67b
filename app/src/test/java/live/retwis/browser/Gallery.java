package live.retwis.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page with all pictures of a folder, for people to look at: a row for each page of the
 * site, with its pictures side by side.
 */
final class Gallery {

	private static final Pattern NAME = Pattern.compile("(.+)-(\\d+-(?:light|dark)-[a-z]+)\\.png");

	private Gallery() {
	}

	/** Writes {@code index.html} beside the pictures of each browser. */
	static void write() {
		for (BrowserKind kind : BrowserKind.values()) {
			if (Files.isDirectory(Look.folder(kind))) {
				write(Look.folder(kind));
			}
		}
	}

	static void write(Path folder) {
		Map<String, String> rows = new TreeMap<>();
		try (Stream<Path> files = Files.list(folder)) {
			files.map((file) -> NAME.matcher(file.getFileName().toString()))
				.filter(Matcher::matches)
				.sorted((one, other) -> width(one) - width(other))
				.forEach((name) -> rows.merge(name.group(1), picture(name.group(), name.group(2)), String::concat));
			Files.writeString(folder.resolve("index.html"),
					"""
							<!doctype html>
							<html lang="en">
							<meta charset="utf-8">
							<title>Retwis Live: all pages</title>
							<style>
							:root { color-scheme: light dark; font: 14px system-ui, sans-serif }
							div { display: flex; gap: 1em; overflow-x: auto; align-items: start }
							figure { margin: 0 }
							img { height: 30em; border: 1px solid gray }
							</style>
							<h1>All pages</h1>
							""" + rows.entrySet()
						.stream()
						.map((row) -> "<h2>" + row.getKey() + "</h2>\n<div>\n" + row.getValue() + "</div>\n")
						.collect(Collectors.joining()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int width(Matcher name) {
		return Integer.parseInt(name.group(2).replaceAll("-.*", ""));
	}

	private static String picture(String file, String look) {
		return "<figure><a href=\"%1$s\"><img src=\"%1$s\" alt=\"\" loading=\"lazy\"></a><figcaption>%2$s</figcaption></figure>\n"
			.formatted(file, look);
	}

}
