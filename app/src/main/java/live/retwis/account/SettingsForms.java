package live.retwis.account;

/**
 * The forms of the settings page.
 *
 * @param passwordChange changes the password
 * @param deletion deletes the account
 */
record SettingsForms(PasswordForm passwordChange, DeletionForm deletion) {

	static final SettingsForms FRESH = new SettingsForms(PasswordForm.FRESH, DeletionForm.FRESH);

	SettingsForms with(PasswordForm form) {
		return new SettingsForms(form, this.deletion);
	}

	SettingsForms with(DeletionForm form) {
		return new SettingsForms(this.passwordChange, form);
	}

}
