-- The tags of posts of two hours or more, also of those that have not moved here yet. The list of a tag in Redis has its
-- newest posts only.

create table tags (
  tag varchar ${binary} not null,
  committed bigint not null,
  id varchar(13) ${binary} not null,
  primary key (tag, committed, id)
);

create index tags_of_post on tags (id);

-- Whether the posts from before there were such tables have their tags and words here.
alter table site add column indexed boolean default false not null;
