create table book (vs int not null, id int not null, primary key (vs, id));
