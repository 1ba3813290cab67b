-- A search for a common word goes through posts by time until its page is full. A rare word is looked up. More is
-- remembered of how common words are, so that the database knows which is which.

create index posts_by_time on posts (committed desc, id desc);
create index young_posts_by_time on young_words (committed desc, id desc);

alter table posts alter column words set statistics 1000;
alter table young_words alter column words set statistics 1000;
analyze posts (words);
analyze young_words (words);
