package live.retwis.learn;

import java.util.List;

/**
 * What happened in an experiment. The answers are those of the servers.
 *
 * @param id 22 characters that nobody can guess
 * @param chapter name of the chapter
 * @param owner id of the user who had it played; nobody else sees it
 * @param steps in the order in which they happened
 * @param complete whether the experiment came to its end
 */
record Transcript(String id, String chapter, String owner, List<TranscriptStep> steps, boolean complete) {

	Transcript {
		steps = List.copyOf(steps);
	}

}
