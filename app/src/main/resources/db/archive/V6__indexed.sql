-- Whether posts have their tags and words here is noted in Redis, because Redis can lose the notes of new posts.

alter table site drop column indexed;
