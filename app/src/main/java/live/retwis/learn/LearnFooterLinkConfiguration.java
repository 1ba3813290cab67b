package live.retwis.learn;

import live.retwis.i18n.Message;
import live.retwis.web.FooterLink;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds the link to the chapters at the foot of each page.
 */
@Configuration(proxyBeanMethods = false)
class LearnFooterLinkConfiguration {

	@Bean
	FooterLink learnLink() {
		return new FooterLink(LearnHandler.PATH, Message.of("learn.link"));
	}

}
