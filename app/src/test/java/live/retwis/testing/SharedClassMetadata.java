package live.retwis.testing;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.core.type.classreading.MetadataReader;

/**
 * Lets all sites of a JVM share what Spring reads of the site's classes. A start reads
 * more than 1,000 files, and the tests start hundreds of sites.
 */
class SharedClassMetadata implements ApplicationContextInitializer<AbstractApplicationContext> {

	private static final Map<Resource, MetadataReader> READ = new ConcurrentHashMap<>();

	@Override
	public void initialize(AbstractApplicationContext context) {
		Map<Resource, MetadataReader> cache = context.getResourceCache(MetadataReader.class);
		cache.putAll(READ);
		// Runs when the classes are read. The cache is emptied at the end of the start.
		context.addBeanFactoryPostProcessor((factory) -> READ.putAll(cache));
	}

}
