-- How common words are need not be known well. The name of a list is compared with the id of a post, so both sort alike.
-- Versions 7 and 8 did this, too, and made the indexes that ArchiveIndexMaker makes now. A change that is not needed would
-- wait for a backup that reads the lists, and readers would wait behind it.

alter table posts alter column words set statistics -1;
alter table young_words alter column words set statistics -1;

do $$
begin
  if (select attcollation from pg_attribute where attrelid = 'lists'::regclass and attname = 'name')
      <> '"C"'::regcollation then
    alter table lists alter column name type varchar(40) collate "C";
  end if;
end
$$;
