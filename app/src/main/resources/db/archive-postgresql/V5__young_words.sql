-- The words of posts that are still in Redis, but soon in none of its lists of words. A row goes when its post moves here.

create table young_words (
  id varchar(13) collate "C" primary key,
  committed bigint not null,
  words varchar array not null
);

create index young_posts_of_word on young_words using gin (words);
