-- The same on PostgreSQL and H2. check_digit is the virtual shard of the row: it leads every key, so that all rows of a virtual
-- shard lie together and a foreign key never leaves its server.
create table book (
    check_digit      integer       not null,
    isbn             varchar(13)   not null,
    title            varchar(1000) not null,
    authors          varchar(1000) not null,
    publication_year integer,
    language_code    varchar(10),
    average_rating   numeric(8, 6) not null,
    ratings_count    bigint        not null,
    primary key (check_digit, isbn)
);

create table library_of_congress (
    check_digit    integer      not null,
    isbn           varchar(13)  not null,
    call_number    varchar(100) not null,
    classification varchar(200) not null,
    subject        varchar(500) not null,
    primary key (check_digit, isbn),
    foreign key (check_digit, isbn) references book (check_digit, isbn)
);
