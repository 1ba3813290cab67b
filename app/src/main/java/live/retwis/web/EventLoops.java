package live.retwis.web;

import reactor.netty.resources.LoopResources;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Creates the threads of the web server, one for each core. The Redis client uses the
 * same threads, so the thread that reads an answer of Redis can often write it to the
 * browser. If the Redis client had its own threads, each page would wake another thread
 * twice.
 */
@Configuration(proxyBeanMethods = false)
class EventLoops {

	@Bean(destroyMethod = "dispose")
	LoopResources loops() {
		return LoopResources.create("loop", Runtime.getRuntime().availableProcessors(), true);
	}

	@Bean
	ReactorResourceFactory reactorResourceFactory(LoopResources loops) {
		ReactorResourceFactory factory = new ReactorResourceFactory();
		factory.setUseGlobalResources(false);
		factory.setLoopResources(loops);
		return factory;
	}

}
