package live.retwis.web;

import reactor.netty.resources.LoopResources;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * The threads of the web server, one for each core; the Redis client runs on the same
 * ones. An answer of Redis is often written to the browser by the thread that read it:
 * with threads of their own each page would wake another thread twice.
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
