-- What a PostgreSQL server needs to hold virtual shards. Run as one script; running it again changes nothing.
-- Lock keys: (1397555200 + map number, virtual shard); virtual shard -1 stands for the whole map on this server.

create schema if not exists shardmap;

create table if not exists shardmap.installation (
    version int not null,
    installed_at timestamptz not null default clock_timestamp()
);

-- One row per virtual shard that this server ever heard of. Rows are never deleted: a closed one keeps the highest epoch.
create table if not exists shardmap.ownership (
    map_number int not null,
    virtual_shard int not null,
    epoch bigint not null,
    state text not null check (state in ('OPEN', 'FENCED', 'CLOSED')),
    fenced_until timestamptz check ((fenced_until is not null) = (state = 'FENCED')),
    -- rows of the virtual shard may be here although this server does not own it: copies, or what is not cleaned yet
    holds_copies boolean not null default false,
    primary key (map_number, virtual_shard)
) with (fillfactor = 50);

-- The fencing number of the mover that may change this virtual shard here. Raised by a successor before it does anything else.
create table if not exists shardmap.mover_token (
    map_number int not null,
    virtual_shard int not null,
    token bigint not null,
    primary key (map_number, virtual_shard)
);

-- Admits the calling transaction to a virtual shard, or says why not: 'OK', 'STALE' (not owned at this epoch; null asks for any
-- epoch) or 'FENCED'. The lock comes first: a mover that holds it exclusively has seen every admitted transaction end.
create or replace function shardmap.admit(p_map int, p_shard int, p_epoch bigint) returns text
    language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_epoch bigint;
    v_state text;
    v_until timestamptz;
    v_timeout text;
begin
    if not pg_try_advisory_xact_lock_shared(1397555200 + p_map, p_shard) then
        begin
            v_timeout := current_setting('lock_timeout');
            perform set_config('lock_timeout', '2s', true);
            perform pg_advisory_xact_lock_shared(1397555200 + p_map, p_shard);
            perform set_config('lock_timeout', v_timeout, true);
        exception when lock_not_available then
            return 'FENCED';
        end;
    end if;
    if current_setting('transaction_isolation') in ('read committed', 'read uncommitted') then
        select epoch, state, fenced_until into v_epoch, v_state, v_until
            from shardmap.ownership where map_number = p_map and virtual_shard = p_shard;
    else
        -- The snapshot may be older than the lock: only a row lock sees what was committed since.
        begin
            select epoch, state, fenced_until into v_epoch, v_state, v_until
                from shardmap.ownership where map_number = p_map and virtual_shard = p_shard for share;
        exception when serialization_failure or lock_not_available then
            -- A row in the middle of a transaction: it must begin again, as after any conflict, and learns there where the row belongs.
            if p_epoch is null and sqlstate = '40001' then
                raise;
            end if;
            return 'STALE';
        end;
    end if;
    if v_epoch = coalesce(p_epoch, v_epoch) then
        if v_state = 'OPEN' or (v_state = 'FENCED' and v_until < clock_timestamp()) then
            return 'OK';
        elsif v_state = 'FENCED' then
            return 'FENCED';
        end if;
    end if;
    return 'STALE';
end $$;

-- Like admit, but raises: what a router sends in front of the first statement of a transaction. It reads nothing itself, so it runs
-- as its caller and saves the change of role and settings, which would be a tenth of its price.
create or replace function shardmap.enter(p_map int, p_shard int, p_epoch bigint) returns void
    language plpgsql volatile
as $$
declare
    v_answer text := shardmap.admit(p_map, p_shard, p_epoch);
begin
    if v_answer = 'STALE' then
        raise exception 'virtual shard % of map % is not owned by this server at epoch %', p_shard, p_map, p_epoch
            using errcode = 'SM001', hint = 'The router refreshes its map and goes to the owner.';
    elsif v_answer = 'FENCED' then
        raise exception 'virtual shard % of map % is fenced: it is changing server', p_shard, p_map
            using errcode = 'SM002', hint = 'Try again when the move has switched or the fence has run out.';
    end if;
end $$;

-- Takes the shared lock of the whole map on this server until the transaction ends, then lists what the server says of it.
create or replace function shardmap.enter_map(p_map int)
    returns table (virtual_shard int, epoch bigint, owned boolean, holds_copies boolean)
    language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
    perform pg_advisory_xact_lock_shared(1397555200 + p_map, -1);
    return query select o.virtual_shard, o.epoch, o.state <> 'CLOSED', o.holds_copies
        from shardmap.ownership o where o.map_number = p_map;
end $$;

-- What the guard triggers call for each row. A session of the mover that holds the current token passes.
create or replace function shardmap.guard_row(p_map int, p_shard int) returns void
    language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
    v_token text := nullif(current_setting('shardmap.mover_token', true), '');
begin
    if v_token is not null then
        perform 1 from shardmap.mover_token
            where map_number = p_map and virtual_shard = p_shard and token = v_token::bigint for share;
        if found then
            return;
        end if;
    end if;
    if p_shard is null then
        raise exception 'shard column must not be null: map %', p_map
            using errcode = 'SM003', hint = 'Write the number of the virtual shard with the row.';
    end if;
    case shardmap.admit(p_map, p_shard, null)
        when 'STALE' then
            raise exception 'row of virtual shard % of map % must be written on the server that owns it', p_shard, p_map
                using errcode = 'SM005', hint = 'Open the connection for this key through the router.';
        when 'FENCED' then
            raise exception 'virtual shard % of map % is fenced: it is changing server', p_shard, p_map
                using errcode = 'SM006', hint = 'Try again when the move has switched or the fence has run out.';
        else null;
    end case;
end $$;

create or replace function shardmap.guard_truncate() returns trigger
    language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
    raise exception 'TRUNCATE would remove rows of every virtual shard on this server: table %.%', tg_table_schema, tg_table_name
        using errcode = 'SM004', hint = 'DELETE the rows of one virtual shard through the router.';
end $$;

revoke all on all tables in schema shardmap from public;
revoke all on all functions in schema shardmap from public;
grant usage on schema shardmap to public;
grant select on shardmap.ownership, shardmap.installation to public;
grant execute on function shardmap.admit(int, int, bigint), shardmap.enter(int, int, bigint), shardmap.enter_map(int),
    shardmap.guard_row(int, int), shardmap.guard_truncate() to public;
