-- The name of a list is compared with the id of a post, so both sort alike. How common words are need not be known well.
-- Versions 7 and 8 did this, too, and made the indexes that ArchiveIndexMaker makes now.

alter table lists alter column name type varchar(40) collate "C";

alter table posts alter column words set statistics -1;
alter table young_words alter column words set statistics -1;
