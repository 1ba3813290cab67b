package live.retwis.account;

import java.util.List;

import live.retwis.picture.Picture;

/**
 * What a form does with the picture of a user.
 *
 * @param arguments of {@code set-profile.lua}, after the name and the bio
 */
record PictureChange(List<String> arguments) {

	/** Leaves the picture as it is. */
	static final PictureChange NONE = new PictureChange(List.of());

	/** Removes the picture. */
	static final PictureChange REMOVAL = new PictureChange(List.of(""));

	/** Replaces the picture. */
	static PictureChange to(Picture picture) {
		return new PictureChange(List.of(picture.hash(), picture.base64()));
	}

}
