<?php
// The home timeline as the tutorials build it, on the keys of this site: a page of the same shape, from the same Redis.
// Nothing is cached between two requests but the connection.
$redis = new Redis();
$redis->pconnect('127.0.0.1', (int) $_SERVER['REDIS_PORT']);

[$id, $token] = array_pad(explode('.', $_COOKIE['auth'] ?? '', 2), 2, '');
$session = $redis->get('auth:' . hash('sha256', $token));
$user = $redis->hMGet("user:$id", ['auth', 'username']);
if ($session === false || $session !== "$id {$user['auth']}") {
    header('Location: /login', true, 303);
    exit;
}

$ids = $redis->zRevRange($_SERVER['TIMELINE'], 0, 19);
$pipeline = $redis->pipeline();
foreach ($ids as $post) {
    $pipeline->hMGet("post:$post", ['author', 'username', 'created', 'body', 'replies', 'likes', 'reposts']);
}
$posts = $pipeline->exec();

function text($value) {
    return htmlspecialchars((string) $value, ENT_QUOTES);
}

header('Content-Type: text/html;charset=UTF-8');
header('Cache-Control: no-store');
?>
<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Home</title><link rel="stylesheet" href="/site.css"></head>
<body>
<header><nav><a href="/home">Home</a> <a href="/timeline">Everyone</a> <a href="/@<?= text($user['username']) ?>">@<?= text($user['username']) ?></a></nav></header>
<main>
<form method="post" action="/posts"><textarea name="body" maxlength="280"></textarea><button>Post</button></form>
<?php foreach ($posts as $i => $post): ?>
<article id="post-<?= $ids[$i] ?>" data-author="<?= text($post['author']) ?>">
<header><a href="/@<?= text($post['username']) ?>"><bdi>@<?= text($post['username']) ?></bdi></a>
<a href="/posts/<?= $ids[$i] ?>"><time datetime="<?= gmdate('c', intdiv((int) $post['created'], 1000)) ?>"><?= gmdate('j M Y, H:i', intdiv((int) $post['created'], 1000)) ?> UTC</time></a></header>
<p><?= nl2br(text($post['body'])) ?></p>
<footer><a href="/posts/<?= $ids[$i] ?>#reply">Reply <?= (int) $post['replies'] ?></a>
<button form="act" formaction="/posts/<?= $ids[$i] ?>/like">Like <?= (int) $post['likes'] ?></button>
<button form="act" formaction="/posts/<?= $ids[$i] ?>/repost">Repost <?= (int) $post['reposts'] ?></button></footer>
</article>
<?php endforeach ?>
</main>
</body>
</html>
