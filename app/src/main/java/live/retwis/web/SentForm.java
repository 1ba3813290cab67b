package live.retwis.web;

import java.util.List;

import reactor.core.publisher.Mono;

import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * The fields of a form that was sent.
 */
public final class SentForm {

	private final MultiValueMap<String, String> fields;

	private SentForm(MultiValueMap<String, String> fields) {
		this.fields = fields;
	}

	/** Reads the body of the request. */
	public static Mono<SentForm> of(ServerRequest request) {
		return request.formData().map(SentForm::new);
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

}
