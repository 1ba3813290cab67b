package live.retwis.breaking;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import live.retwis.cluster.ClusterFaultRequest;
import live.retwis.cluster.LocalSiteState;
import live.retwis.i18n.Message;
import live.retwis.web.ProblemException;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;

/**
 * Asks the program that has started this instance. Fails with 503 when it does not answer
 * in time, and with 409 when it cannot do that now.
 */
@ConditionalOnClusterControl
class ClusterControlClient {

	private static final JsonMapper JSON = JsonMapper.shared();

	/** Shorter than the load balancer waits for an instance. */
	private static final Duration LONGEST = Duration.ofSeconds(8);

	private final HttpClient client;

	ClusterControlClient(ClusterControlProperties properties) {
		this.client = HttpClient.create()
			.baseUrl(Objects.requireNonNullElse(properties.control(), ""))
			.responseTimeout(LONGEST)
			.headers((headers) -> headers.set("Authorization", "Bearer " + properties.token()));
	}

	/** How the cluster is. */
	Mono<LocalSiteState> state() {
		return ask(HttpMethod.GET, "/state", "").map((json) -> JSON.readValue(json, LocalSiteState.class));
	}

	/** Breaks something. */
	Mono<LocalSiteState> begin(ClusterFaultRequest request) {
		return ask(HttpMethod.POST, "/breaks", JSON.writeValueAsString(request))
			.map((json) -> JSON.readValue(json, LocalSiteState.class));
	}

	/** Mends everything. */
	Mono<LocalSiteState> heal() {
		return ask(HttpMethod.POST, "/heal", "").map((json) -> JSON.readValue(json, LocalSiteState.class));
	}

	/** Keeps a report. Returns its id. */
	Mono<String> keep(BreakReport report) {
		return ask(HttpMethod.POST, "/reports", JSON.writeValueAsString(report))
			.map((json) -> String.valueOf(JSON.readValue(json, Map.class).get("id")));
	}

	/** A report; empty when none with this id is kept. */
	Mono<BreakReport> report(String id) {
		return ask(HttpMethod.GET, "/reports/" + id, "").map((json) -> JSON.readValue(json, BreakReport.class));
	}

	/** The answer; empty for 404. */
	private Mono<String> ask(HttpMethod method, String path, String json) {
		return this.client.request(method)
			.uri(path)
			.send(Mono.fromSupplier(() -> Unpooled.copiedBuffer(json, StandardCharsets.UTF_8)))
			.responseSingle((answer, body) -> switch (answer.status().code()) {
				case 200 -> body.asString(StandardCharsets.UTF_8);
				case 404 -> Mono.<String>empty();
				case 413 -> ProblemException.<String>of(HttpStatus.CONTENT_TOO_LARGE, Message.of("break.report-long"));
				case 409 -> ProblemException.<String>of(HttpStatus.CONFLICT, Message.of("break.busy"));
				default -> Mono.<String>error(new IllegalStateException("The control port answers " + answer.status()));
			})
			.onErrorResume((error) -> !(error instanceof ProblemException),
					(error) -> ProblemException.later(Message.of("break.away"), 2));
	}

}
