-- Posts are found by all words of a query at once.

create index posts_of_word on posts using gin (words);
