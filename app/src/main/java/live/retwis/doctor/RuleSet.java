package live.retwis.doctor;

import java.util.List;

/** Rules for keys of some kinds. */
interface RuleSet {

	List<KeySchema> keySchemas();

}
