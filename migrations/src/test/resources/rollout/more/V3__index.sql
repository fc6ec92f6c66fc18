create index book_by_title on book (title);
