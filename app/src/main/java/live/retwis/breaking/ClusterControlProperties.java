package live.retwis.breaking;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How an instance reaches the program that has started it. The command {@code cluster}
 * sets these; nobody else does.
 *
 * @param control address of the program's control port; without it nothing can be broken
 * @param token what the program asks for there
 * @param links pairs of ports: connections to the first go to the second, such as
 * {@code 12001:25001}
 */
@ConfigurationProperties("retwis.cluster")
record ClusterControlProperties(@Nullable String control, @Nullable String token, @DefaultValue List<String> links) {
}
