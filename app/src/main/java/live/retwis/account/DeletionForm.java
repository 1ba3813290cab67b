package live.retwis.account;

import live.retwis.i18n.Localized;
import live.retwis.web.FormField;
import org.jspecify.annotations.Nullable;

/**
 * The form to delete the account.
 *
 * @param password never kept
 * @param error an error of the form as a whole; null for none
 */
record DeletionForm(FormField password, @Nullable Localized error) {

	static final DeletionForm FRESH = new DeletionForm(FormField.EMPTY, null);

	static DeletionForm wrongPassword(Localized error) {
		return new DeletionForm(new FormField("", error), null);
	}

	/** An empty form with an error above it. */
	static DeletionForm refused(Localized why) {
		return new DeletionForm(FormField.EMPTY, why);
	}

}
