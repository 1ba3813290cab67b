-- Pages of pulled posts read no others. The name of a list is compared with the id of a post, so both sort alike.

create index pulled_posts_of_author on posts (author, committed desc, id desc) where pulled;

alter table lists alter column name type varchar(40) collate "C";
