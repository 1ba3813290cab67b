package live.retwis.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One server. While it is away, nothing can be read or written. */
final class SingleDataServer extends DataServers {

	@Override
	void launch(Path directory, LocalPorts ports, ProcessGuard guard) {
		launchNodes(1, directory, ports, guard);
	}

	@Override
	List<String> settings() {
		return List.of("--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + nodes().get(0).port());
	}

	@Override
	Optional<RedisServerPart> master() {
		return nodes().stream().filter(RedisServerPart::isAlive).findFirst();
	}

}
