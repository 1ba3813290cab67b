package live.retwis.learn;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the chapters.
 *
 * @param enabled whether users can play the experiments of {@code /learn}; true with
 * embedded nodes unless set. The texts are always there
 */
@ConfigurationProperties("retwis.learn")
record LearnProperties(@DefaultValue("false") boolean enabled) {
}
