package live.retwis.account;

import java.util.List;

import live.retwis.picture.Picture;

/**
 * What a form does with the picture of a user.
 *
 * @param arguments of {@code set-profile.lua}, after the name and the bio
 */
record PictureUpdateArguments(List<String> arguments) {

	/** Leaves the picture as it is. */
	static final PictureUpdateArguments NONE = new PictureUpdateArguments(List.of());

	/** Removes the picture. */
	static final PictureUpdateArguments REMOVAL = new PictureUpdateArguments(List.of(""));

	/** Replaces the picture. */
	static PictureUpdateArguments to(Picture picture) {
		return new PictureUpdateArguments(List.of(picture.hash(), picture.base64()));
	}

}
