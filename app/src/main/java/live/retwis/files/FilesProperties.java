package live.retwis.files;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings for people who change pages.
 *
 * @param folder folder with {@code templates} and {@code static} that are read instead of
 * those in the jar; the profile {@code dev} sets it to the current directory
 */
@ConfigurationProperties("retwis.files")
record FilesProperties(@Nullable Path folder) {
}
