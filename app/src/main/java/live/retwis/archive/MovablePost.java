package live.retwis.archive;

/**
 * A post that is to be moved to the archive.
 *
 * @param committed ms of its commit
 * @param beyondSize whether its author has so many newer ones that it moves although it
 * is young
 */
record MovablePost(String author, String postId, long committed, boolean beyondSize) {
}
