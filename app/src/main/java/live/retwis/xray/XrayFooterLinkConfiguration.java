package live.retwis.xray;

import live.retwis.i18n.Message;
import live.retwis.web.FooterLink;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds the link at the foot of each page, for those who may follow it. It leads to the
 * page that it stands on.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("retwis.xray.enabled")
class XrayFooterLinkConfiguration {

	@Bean
	FooterLink xrayLink(XrayProperties properties) {
		return FooterLink.here(XrayFilter.PARAMETER, Message.of("xray.title"), properties::allows);
	}

}
