-- The posts that have moved here from Redis, with the fields of post:<id>. ${binary} makes ids sort as in Redis. The
-- words are those by which a post is found, on PostgreSQL alone.

create table posts (
  id varchar(13) ${binary} primary key,
  author varchar(13) ${binary} not null,
  committed bigint not null,
  pulled boolean not null,
  username varchar(100) not null,
  created bigint not null,
  body varchar not null,
  reply_to varchar(13),
  reply_username varchar(100),
  repost_of varchar(13),
  replies bigint,
  likes bigint,
  reposts bigint,
  words varchar array
);

create index posts_of_author on posts (author, committed desc, id desc);

-- One row: which site the archive belongs to.
create table site (
  one boolean primary key,
  id varchar(26) not null
);
