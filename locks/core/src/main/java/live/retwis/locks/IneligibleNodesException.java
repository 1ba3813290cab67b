package live.retwis.locks;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Nodes that can be reached but must not vote.
 */
public final class IneligibleNodesException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	IneligibleNodesException(List<NodeState> wrong) {
		super(wrong.stream().map((state) -> state.name() + " " + state.reason()).collect(Collectors.joining("; ")));
	}

}
