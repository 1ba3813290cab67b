package live.retwis.account;

/**
 * The forms of the settings page.
 *
 * @param profile changes what others see of the user
 * @param passwordChange changes the password
 * @param deletion deletes the account
 */
record SettingsForms(ProfileForm profile, PasswordForm passwordChange, DeletionForm deletion) {

	static SettingsForms of(User user) {
		return new SettingsForms(ProfileForm.of(user), PasswordForm.FRESH, DeletionForm.FRESH);
	}

	SettingsForms with(ProfileForm form) {
		return new SettingsForms(form, this.passwordChange, this.deletion);
	}

	SettingsForms with(PasswordForm form) {
		return new SettingsForms(this.profile, form, this.deletion);
	}

	SettingsForms with(DeletionForm form) {
		return new SettingsForms(this.profile, this.passwordChange, form);
	}

}
