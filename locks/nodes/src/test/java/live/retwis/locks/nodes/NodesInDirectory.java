package live.retwis.locks.nodes;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * For tests of embedded nodes: they have ports and a directory of their own.
 */
@Timeout(60)
abstract class NodesInDirectory {

	final EmbeddedPorts ports = EmbeddedPorts.choose();

	final Path here;

	NodesInDirectory(Path here) {
		this.here = here;
	}

	@AfterEach
	void endNodes() throws Exception {
		this.ports.close();
	}

	EmbeddedNodes join() {
		return EmbeddedNodes.join(this.here, this.ports.base);
	}

}
