package live.retwis.account;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.web.TimeFormat;

/**
 * A session in the file with a user's own data. Nothing in it lets anybody log in.
 *
 * @param browser name of the browser; empty when it is unknown
 * @param system name of the operating system; empty when it is unknown
 * @param begunAt ISO 8601 UTC
 * @param seenAt when it was last seen, ISO 8601 UTC, to within an hour
 */
public record ExportedSession(String browser, String system, @JsonProperty("begun_at") String begunAt,
		@JsonProperty("seen_at") String seenAt) {

	static ExportedSession of(StoredSession session) {
		return new ExportedSession(session.userAgent().browser(), session.userAgent().system(),
				TimeFormat.iso(session.since()), TimeFormat.iso(session.seen()));
	}

}
