-- Where other servers reach a server for replication; null when it is the URL that applications use. Holds no credentials.
alter table "shardmap_catalog"."server" add column "replication_url" varchar(250);

-- Which database cluster a server was when it was added or last accepted: another one, or another timeline, was restored.
create table "shardmap_catalog"."server_identity" (
    "server"            varchar(63) not null,
    "system_identifier" varchar(20) not null,
    "timeline"          integer     not null,
    constraint "server_identity_pk" primary key ("server"),
    constraint "server_identity_of_server" foreign key ("server") references "shardmap_catalog"."server" ("name")
);

-- How far the copy of a move is, as its mover last said, so that others can watch it.
create table "shardmap_catalog"."move_progress" (
    "move"             bigint not null,
    "total_rows"       bigint not null,
    "total_bytes"      bigint not null,
    "rows"             bigint not null,
    "bytes"            bigint not null,
    "bytes_per_second" bigint not null,
    -- What the change stream has before it; null while there is none.
    "lag_bytes"        bigint,
    "updated_at"       timestamp with time zone default current_timestamp not null,
    constraint "move_progress_pk" primary key ("move"),
    constraint "move_progress_of_move" foreign key ("move") references "shardmap_catalog"."move" ("id")
);
