-- What an H2 database needs to hold virtual shards: the tables of the PostgreSQL script, and rows to lock instead of advisory locks.
create schema if not exists "shardmap";

create table if not exists "shardmap"."installation" (
    "version" int not null,
    "installed_at" timestamp with time zone default current_timestamp not null
);

create table if not exists "shardmap"."ownership" (
    "map_number" int not null,
    "virtual_shard" int not null,
    "epoch" bigint not null,
    "state" varchar(6) not null check ("state" in ('OPEN', 'FENCED', 'CLOSED')),
    "fenced_until" timestamp with time zone,
    "holds_copies" boolean default false not null,
    primary key ("map_number", "virtual_shard")
);

create table if not exists "shardmap"."mover_token" (
    "map_number" int not null,
    "virtual_shard" int not null,
    "token" bigint not null,
    primary key ("map_number", "virtual_shard")
);

-- 16 rows per virtual shard, virtual shard -1 for the whole map: a transaction locks one of them, a mover all.
create table if not exists "shardmap"."lock_row" (
    "map_number" int not null,
    "virtual_shard" int not null,
    "slot" int not null,
    primary key ("map_number", "virtual_shard", "slot")
);
