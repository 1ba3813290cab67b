package live.retwis.testing;

import java.time.Duration;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Gives each instance in a test's JVM event loops of its own: those that instances would
 * share end with the first of them that is closed.
 */
@Configuration(proxyBeanMethods = false)
class OwnEventLoops {

	@Bean
	ReactorResourceFactory eventLoops() {
		ReactorResourceFactory loops = new ReactorResourceFactory();
		loops.setUseGlobalResources(false);
		loops.setShutdownQuietPeriod(Duration.ZERO);
		return loops;
	}

}
