package live.retwis.lab;

import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Tells operators what this instance plays, and ends it: {@code /actuator/lab-run} at the
 * management port.
 */
@ConditionalOnLab
@Endpoint(id = LabRunEndpoint.ID)
class LabRunEndpoint {

	static final String ID = "lab-run";

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
	 * Ends a run, whoever has begun it, if it is the current one. Does not wait for the
	 * end.
	 */
	@DeleteOperation
	void end(@Selector String id) {
		if (this.runner.finishRunWithId(id)) {
			log.info("An operator has ended run {} of the lab", id);
		}
	}

}
