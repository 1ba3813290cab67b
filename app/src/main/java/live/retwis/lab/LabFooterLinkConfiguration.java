package live.retwis.lab;

import live.retwis.i18n.Message;
import live.retwis.web.FooterLink;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds the link to the lab at the foot of each page.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("retwis.lab.enabled")
class LabFooterLinkConfiguration {

	@Bean
	FooterLink labLink() {
		return new FooterLink("/lab", Message.of("lab.title"));
	}

}
