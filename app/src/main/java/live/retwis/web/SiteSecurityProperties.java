package live.retwis.web;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whom the site answers, and where problems are reported.
 *
 * @param origins further addresses of the site, if a proxy does not pass {@code Host} on:
 * {@code https://www.example.com}; forms from their pages are accepted
 * @param managementHosts further names under which the port for operations is asked, such
 * as that of a load balancer; without a port
 * @param securityContact where people report a security problem, as {@code mailto:} or
 * {@code https:} address; {@code /.well-known/security.txt} shows it
 */
@ConfigurationProperties("retwis")
record SiteSecurityProperties(@DefaultValue List<String> origins, @DefaultValue List<String> managementHosts,
		@Nullable String securityContact) {
}
