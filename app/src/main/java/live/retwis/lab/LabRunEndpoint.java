package live.retwis.lab;

import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * Tells operators what this instance plays, and ends it: {@code /actuator/labrun} at the
 * management port.
 */
@ConditionalOnLab
@WebEndpoint(id = LabRunEndpoint.ID)
class LabRunEndpoint {

	static final String ID = "labrun";

	private static final Logger log = LoggerFactory.getLogger(LabRunEndpoint.class);

	private final LabRunner runner;

	LabRunEndpoint(LabRunner runner) {
		this.runner = runner;
	}

	/**
	 * The id of the current run and the name of the user who has begun it; nothing when
	 * there is none.
	 */
	@ReadOperation
	Map<String, String> current() {
		return this.runner.underWay().map((run) -> Map.of("id", run.head().id(), "by", run.by())).orElse(Map.of());
	}

	/**
	 * Ends a run, whoever has begun it. Does not wait for the end. Answers 404 when it is
	 * not the current one of this instance.
	 */
	@DeleteOperation
	WebEndpointResponse<Void> end(@Selector String id) {
		boolean found = this.runner.finishRunWithId(id);
		if (found) {
			log.info("An operator has ended run {} of the lab", id);
		}
		return new WebEndpointResponse<>(
				found ? WebEndpointResponse.STATUS_NO_CONTENT : WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
