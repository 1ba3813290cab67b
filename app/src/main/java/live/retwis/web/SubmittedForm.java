package live.retwis.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import reactor.core.publisher.Mono;

import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.server.ServerWebExchange;

/**
 * The fields of a form that was sent.
 */
public final class SubmittedForm {

	private final MultiValueMap<String, String> fields;

	private final Map<String, UploadedFile> files;

	private SubmittedForm(MultiValueMap<String, String> fields, Map<String, UploadedFile> files) {
		this.fields = fields;
		this.files = files;
	}

	/** Reads the body of the request. */
	public static Mono<SubmittedForm> of(ServerRequest request) {
		return of(request.exchange());
	}

	static Mono<SubmittedForm> of(ServerWebExchange exchange) {
		return exchange.getFormData()
			.map((fields) -> new SubmittedForm(fields, exchange.getAttributeOrDefault(FormReader.FILES, Map.of())));
	}

	/** The form, if it has been read already; empty when not. */
	static Optional<SubmittedForm> alreadyRead(ServerWebExchange exchange) {
		return Optional.ofNullable(exchange.<MultiValueMap<String, String>>getAttribute(FormReader.FIELDS))
			.map((fields) -> new SubmittedForm(fields, exchange.getAttributeOrDefault(FormReader.FILES, Map.of())));
	}

	/** The value as it was sent; empty when the field was not sent. */
	public String get(String name) {
		String value = this.fields.getFirst(name);
		return (value != null) ? value : "";
	}

	/** All values of a field that can be sent several times. */
	public List<String> all(String name) {
		return List.copyOf(this.fields.getOrDefault(name, List.of()));
	}

	/** The names of all fields but files. */
	List<String> names() {
		return List.copyOf(this.fields.keySet());
	}

	/** The names of the files that were chosen. */
	List<String> fileNames() {
		return List.copyOf(this.files.keySet());
	}

	/**
	 * A file; empty when none was chosen. A text in its place counts as the content of a
	 * file.
	 */
	public Optional<UploadedFile> file(String name) {
		UploadedFile file = this.files.get(name);
		return (file != null) ? Optional.of(file)
				: Optional.of(get(name))
					.filter((text) -> !text.isEmpty())
					.map((text) -> new UploadedFile(text.getBytes(StandardCharsets.UTF_8), true));
	}

}
