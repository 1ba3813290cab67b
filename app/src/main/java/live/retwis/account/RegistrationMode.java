package live.retwis.account;

import java.util.Locale;
import java.util.stream.Stream;

/** Whether visitors may register. */
public enum RegistrationMode {

	/** Everybody may register. */
	OPEN,
	/** Nobody may register. */
	CLOSED;

	/** Whether a stored text is one of them. */
	public static boolean isValid(String text) {
		return Stream.of(values()).anyMatch((mode) -> mode.text().equals(text));
	}

	/** As it is stored. */
	public String text() {
		return name().toLowerCase(Locale.ROOT);
	}

}
