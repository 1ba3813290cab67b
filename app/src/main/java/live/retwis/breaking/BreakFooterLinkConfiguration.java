package live.retwis.breaking;

import live.retwis.i18n.Message;
import live.retwis.web.FooterLink;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds the link at the foot of each page, and the script that watches over its stream.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("retwis.cluster.control")
class BreakFooterLinkConfiguration {

	@Bean
	FooterLink breakLink() {
		return FooterLink.withScript(BreakHandler.PATH, Message.of("break.title"), "breaking.js");
	}

}
