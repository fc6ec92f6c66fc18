alter table book add column title varchar(100);
