package live.retwis.web;

import java.nio.charset.StandardCharsets;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.logging.ForeignText;
import live.retwis.logging.OncePerMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Takes reports of browsers that have kept a page from loading or doing something that
 * its Content-Security-Policy does not allow. Anybody can send anything here. So reports
 * are counted, as {@code retwis.csp.reports}, and the beginning of one in each minute is
 * logged. The others are not read.
 */
@Component
class CspReportHandler implements RouteContributor {

	static final String PATH = "/csp-reports";

	private static final Logger log = LoggerFactory.getLogger(CspReportHandler.class);

	private static final int MOST_BYTES = 8 * 1024;

	private final Counter reports;

	private final OncePerMinute logged = new OncePerMinute();

	CspReportHandler(MeterRegistry meters) {
		this.reports = meters.counter("retwis.csp.reports");
	}

	@Override
	public void addTo(SiteMap site) {
		site.receive(PATH, this::receive);
	}

	private Mono<ServerResponse> receive(ServerRequest request) {
		this.reports.increment();
		Mono<Void> read = this.logged.isDue() ? log(request) : Mono.empty();
		return read.then(ServerResponse.noContent().build());
	}

	private static Mono<Void> log(ServerRequest request) {
		return DataBufferUtils.join(request.exchange().getRequest().getBody(), MOST_BYTES)
			.doOnNext((report) -> log.info("A page was kept from what its policy does not allow: {}", text(report)))
			.then();
	}

	private static String text(DataBuffer report) {
		String text = report.toString(StandardCharsets.US_ASCII);
		DataBufferUtils.release(report);
		return ForeignText.printable(text);
	}

}
