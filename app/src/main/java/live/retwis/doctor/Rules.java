package live.retwis.doctor;

import java.util.List;

/** Rules for keys of some kinds. */
interface Rules {

	List<KeySchema> keySchemas();

}
