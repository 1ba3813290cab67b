package live.retwis.doctor;

import java.util.List;

/**
 * The rules of some families.
 */
interface Rules {

	List<KeySchema> families();

}
