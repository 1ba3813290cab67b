package live.retwis.restriction;

import live.retwis.account.UserRepository;

import org.springframework.stereotype.Component;

/** Whom a user has muted, since when. */
@Component
class MutedExport extends RestrictedExport {

	MutedExport(RestrictionRepository restrictions, UserRepository users) {
		super(Restriction.MUTE, restrictions, users);
	}

}
