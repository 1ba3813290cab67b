/**
 * The five steps of each acquisition, as the description of Redlock counts them: read the
 * clock, ask each node, count the majority, subtract the time that this took, give back
 * everywhere. They are read from a recorded history, for every engine in the same way, so
 * that one sees which step an engine leaves out.
 */
@NullMarked
package live.retwis.locks.lab.steps;

import org.jspecify.annotations.NullMarked;
