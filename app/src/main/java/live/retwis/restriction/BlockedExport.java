package live.retwis.restriction;

import live.retwis.account.UserRepository;

import org.springframework.stereotype.Component;

/** Whom a user has blocked, since when. */
@Component
class BlockedExport extends RestrictedExport {

	BlockedExport(RestrictionRepository restrictions, UserRepository users) {
		super(Restriction.BLOCK, restrictions, users);
	}

}
