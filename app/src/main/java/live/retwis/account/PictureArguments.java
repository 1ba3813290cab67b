package live.retwis.account;

import java.util.List;

import live.retwis.picture.Picture;

/**
 * What a form does with the picture of a user.
 *
 * @param arguments of {@code set-profile.lua}, after the name and the bio
 */
record PictureArguments(List<String> arguments) {

	/** Leaves the picture as it is. */
	static final PictureArguments NONE = new PictureArguments(List.of());

	/** Removes the picture. */
	static final PictureArguments REMOVAL = new PictureArguments(List.of(""));

	/** Replaces the picture. */
	static PictureArguments to(Picture picture) {
		return new PictureArguments(List.of(picture.hash(), picture.base64()));
	}

}
