package live.retwis.locks.lab.play;

/** Something that people do by hand during free play: to a node, or to a client. */
public sealed interface FreePlayAction permits NodeAction, ClientAction {

}
