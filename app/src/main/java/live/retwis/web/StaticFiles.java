package live.retwis.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

import live.retwis.i18n.TranslatableText;
import reactor.core.publisher.Mono;

import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.MediaTypeFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Stylesheet, scripts and icons, read into memory once: reading them from the jar for
 * each request would block the event loop. Their addresses carry a checksum of all of
 * them, so that browsers keep them for a year and scripts import each other by relative
 * names.
 */
@Component
public class StaticFiles implements SiteRoutes {

	private static final String FOLDER = "static/";

	private static final CacheControl FOR_GOOD = CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

	private final Map<String, StaticFile> files = new HashMap<>();

	private final String prefix;

	StaticFiles() {
		Map<String, Resource> found = find();
		CRC32 checksum = new CRC32();
		found.forEach((name, resource) -> {
			byte[] content = content(resource);
			checksum.update(content);
			this.files.put(name, new StaticFile(content,
					MediaTypeFactory.getMediaType(name).orElse(MediaType.APPLICATION_OCTET_STREAM)));
		});
		this.prefix = "/assets/" + Long.toHexString(checksum.getValue());
	}

	private static Map<String, Resource> find() {
		try {
			Map<String, Resource> found = new TreeMap<>();
			for (Resource resource : new PathMatchingResourcePatternResolver()
				.getResources("classpath*:" + FOLDER + "**/*.*")) {
				String url = resource.getURL().toString();
				found.put(url.substring(url.lastIndexOf("/" + FOLDER) + FOLDER.length() + 1), resource);
			}
			return found;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static byte[] content(Resource resource) {
		try {
			return resource.getContentAsByteArray();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Address prefix of all files, without a slash at its end. */
	String prefix() {
		return this.prefix;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get("/assets/{version}/{*name}", this::serve);
	}

	private Mono<ServerResponse> serve(ServerRequest request) {
		StaticFile file = this.files.get(request.pathVariable("name").substring(1));
		if (file == null) {
			return ProblemException.notFound(TranslatableText.of("There is no such file."));
		}
		return ServerResponse.ok().contentType(file.type()).cacheControl(FOR_GOOD).body((message, context) -> {
			message.getHeaders().setContentLength(file.content().length);
			return message.writeWith(Mono.just(message.bufferFactory().wrap(file.content())));
		});
	}

	private record StaticFile(byte[] content, MediaType type) {
	}

}
