-- Lists of archived posts, such as who likes them: the name of the key in Redis, and the members, each before its score,
-- with a space between all of them. "used" is the ms of its last use before it moved here.

create table lists (
  name varchar(40) primary key,
  members varchar not null,
  used bigint not null
);
