package live.retwis.locks.lab.design;

import live.retwis.locks.lab.history.HistoryEvent;

/** What a schedule is played on: a clock, nodes, a store, and a history. */
interface DesignWorld {

	/** More than the tolerance that Redlock's description has for clocks would allow. */
	int FAST_MILLIONTHS = 9_000;

	DesignScheduler clock();

	/** A node by its number, from 1. */
	DesignNode node(int number);

	FencedCounter store();

	/** Adds an entry to the history. */
	void add(HistoryEvent event);

	/** Crashes a node, and notes it. It keeps its keys. */
	void crash(int node);

	/** Starts a node that has crashed, and notes it. */
	void restart(int node);

	/** Makes the clock of a node too fast, and notes it. */
	void hasten(int node);

	/** Notes what the nodes hold, where nobody else does. */
	void look();

}
