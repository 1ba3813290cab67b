package live.retwis.files;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings for those who change pages.
 *
 * @param folder whose {@code templates} and {@code static} are read instead of what is in
 * the jar; the profile {@code dev} sets it to where the command was given
 */
@ConfigurationProperties("retwis.files")
record FilesProperties(@Nullable Path folder) {
}
