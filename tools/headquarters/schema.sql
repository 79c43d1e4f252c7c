-- What headquarters keep of a fleet of kiosks. Run again, it changes nothing.
--
-- A kiosk's ledger and audit trail arrive record by record. Each record names the proof of the one before (mac_before); a
-- kiosk's key is needed to check a proof, so here it is a name: a record that was changed, taken out or put in later has
-- another than the one that is kept here, and the next one does not follow. take_records() is the one way in.

create table if not exists kiosk (
  tenant text not null,
  kiosk text not null,
  first_heard timestamptz not null default now(),
  heard timestamptz not null default now(),
  gone boolean not null default false,     -- the broker lost it, and it has not come back
  version text,
  ready boolean,
  health jsonb,                            -- as the kiosk's /v1/health has it
  primary key (tenant, kiosk)
);

-- Where each journal of a kiosk stands. A life begins when a person accepts that a journal does not follow from what is kept
-- here: after a kiosk was set up anew, or after an older copy was put back.
create table if not exists journal (
  tenant text not null,
  kiosk text not null,
  journal text not null,                   -- ledger or audit
  life integer not null default 1,
  number bigint not null default 0,        -- the newest record that is kept
  mac text not null default repeat('0', 64),
  broken_at bigint,                        -- a record that does not follow: nothing is taken until a person accepts
  primary key (tenant, kiosk, journal)
);

create table if not exists record (
  tenant text not null,
  kiosk text not null,
  journal text not null,
  life integer not null,
  number bigint not null,
  mac text not null,
  body jsonb not null,
  taken timestamptz not null default now(),
  primary key (tenant, kiosk, journal, life, number)
);

-- One row an attempt: what the ledgers say of money. Amounts are exact.
create table if not exists attempt (
  tenant text not null,
  kiosk text not null,
  life integer not null,
  reference text not null,
  number integer not null,
  started timestamptz not null,
  ended timestamptz,
  endpoint text not null,
  operator text not null,
  case_id text not null,
  stage text not null,
  status integer not null,
  billed text not null,
  rule text not null,
  price numeric(14, 2) not null,
  currency text not null,
  attempt_id text not null,
  service_reference text not null,
  primary key (tenant, kiosk, life, reference, number)
);
create index if not exists attempt_by_time on attempt (tenant, started);

create table if not exists metric (
  tenant text not null,
  kiosk text not null,
  name text not null,                      -- with its labels, as Prometheus writes them
  value double precision not null,
  at timestamptz not null default now(),
  primary key (tenant, kiosk, name)
);

create table if not exists alarm (
  id bigserial primary key,
  at timestamptz not null default now(),
  tenant text not null,
  kiosk text not null,
  what text not null
);

-- Signed commands that were sent, and what each kiosk said to them.
create table if not exists command (
  tenant text not null,
  kiosk text not null,
  command text not null,                   -- SHA-256 of what was signed, in hex
  revision bigint not null,
  action text not null,
  settings jsonb,                          -- those that it orders
  sent timestamptz not null default now(),
  state text not null default 'sent',      -- or as the kiosk's reply says
  reason text not null default '',
  signed_by text not null default '',
  settled timestamptz,
  log jsonb,                               -- lines, of send_log
  primary key (tenant, kiosk, command)
);

-- The settings that each kiosk says it has.
create table if not exists setting (
  tenant text not null,
  kiosk text not null,
  key text not null,
  value jsonb not null,
  at timestamptz not null default now(),
  primary key (tenant, kiosk, key)
);

create or replace function take_entry(a_tenant text, a_kiosk text, a_life integer, entry jsonb) returns void as $$
begin
  case entry ->> 'kind'
  when 'attempt' then
    insert into attempt
    select a_tenant, a_kiosk, a_life, a ->> 'reference', (a ->> 'attempt')::integer, (a ->> 'time')::timestamptz, null,
           a ->> 'endpoint', a ->> 'operator', a ->> 'case', a ->> 'stage', (a ->> 'status')::integer, a ->> 'billed',
           a ->> 'rule', (a ->> 'price')::numeric, a ->> 'currency', a ->> 'attempt_id', a ->> 'service_reference'
    from (select entry -> 'attempt' as a) as given;
  when 'attempt_ended' then
    update attempt
    set ended = (entry ->> 'ended')::timestamptz, stage = entry ->> 'stage', status = (entry ->> 'status')::integer,
        billed = entry ->> 'billed', rule = entry ->> 'rule', service_reference = entry ->> 'service_reference'
    where tenant = a_tenant and kiosk = a_kiosk and life = a_life and reference = entry ->> 'reference'
      and number = (entry ->> 'attempt')::integer;
  else
    null;  -- kept as a record alone
  end case;
end
$$ language plpgsql;

-- Takes records of one journal, in their order, those that are kept already being passed over. Returns the newest that is
-- kept; broken: one does not follow, and nothing was taken from there on.
create or replace function take_records(a_tenant text, a_kiosk text, a_journal text, records jsonb,
                                        out newest bigint, out newest_mac text, out broken boolean) as $$
declare
  head journal;
  each jsonb;
  entry jsonb;
  at bigint;
begin
  insert into journal (tenant, kiosk, journal) values (a_tenant, a_kiosk, a_journal) on conflict do nothing;
  select * into head from journal j
  where j.tenant = a_tenant and j.kiosk = a_kiosk and j.journal = a_journal for update;
  broken := head.broken_at is not null;
  for each in select value from jsonb_array_elements(records) loop
    exit when broken;
    at := (each ->> 'number')::bigint;
    exit when at > head.number + 1;  -- some are missing: they come again behind the newest that is kept
    if at <= head.number then
      broken := not exists (select from record r
                            where r.tenant = a_tenant and r.kiosk = a_kiosk and r.journal = a_journal
                              and r.life = head.life and r.number = at and r.mac = each ->> 'mac');
    else
      broken := each ->> 'mac_before' is distinct from head.mac;
    end if;
    if broken then
      update journal j set broken_at = at
      where j.tenant = a_tenant and j.kiosk = a_kiosk and j.journal = a_journal;
      insert into alarm (tenant, kiosk, what) values (a_tenant, a_kiosk,
        format('record %s of its %s is not what was kept here, or does not follow it: an older copy was put back, or it was changed',
               at, a_journal));
    elsif at > head.number then
      insert into record (tenant, kiosk, journal, life, number, mac, body)
      values (a_tenant, a_kiosk, a_journal, head.life, at, each ->> 'mac', each - 'number' - 'mac' - 'mac_before');
      if a_journal = 'ledger' then
        for entry in select value from jsonb_array_elements(each -> 'entries') loop
          perform take_entry(a_tenant, a_kiosk, head.life, entry);
        end loop;
      end if;
      head.number := at;
      head.mac := each ->> 'mac';
    end if;
  end loop;
  update journal j set number = head.number, mac = head.mac
  where j.tenant = a_tenant and j.kiosk = a_kiosk and j.journal = a_journal;
  newest := head.number;
  newest_mac := head.mac;
end
$$ language plpgsql;

create or replace function take_state(a_tenant text, a_kiosk text, message jsonb) returns void as $$
  insert into kiosk (tenant, kiosk, gone, version, ready, health)
  values (a_tenant, a_kiosk, coalesce((message ->> 'gone')::boolean, false), message ->> 'version',
          (message -> 'health' ->> 'ready')::boolean, message -> 'health')
  on conflict (tenant, kiosk) do update
  set heard = now(), gone = excluded.gone,
      version = coalesce(excluded.version, kiosk.version), ready = coalesce(excluded.ready, kiosk.ready),
      health = coalesce(excluded.health, kiosk.health);
$$ language sql;

create or replace function take_metrics(a_tenant text, a_kiosk text, message jsonb) returns void as $$
begin
  if (message ->> 'full')::boolean then
    delete from metric m where m.tenant = a_tenant and m.kiosk = a_kiosk;
  end if;
  insert into metric (tenant, kiosk, name, value)
  select a_tenant, a_kiosk, key, value::text::double precision from jsonb_each(message -> 'values')
  on conflict (tenant, kiosk, name) do update set value = excluded.value, at = now();
end
$$ language plpgsql;

-- A person has looked at a journal that does not follow, and a new life of it begins.
create or replace function accept_journal(a_tenant text, a_kiosk text, a_journal text) returns boolean as $$
declare
  done integer;
begin
  update journal set life = life + 1, number = 0, mac = repeat('0', 64), broken_at = null
  where tenant = a_tenant and kiosk = a_kiosk and journal = a_journal and broken_at is not null;
  get diagnostics done = row_count;
  return done > 0;
end
$$ language plpgsql;

-- What a kiosk says to a command. A refusal of what nobody signed who may is an alarm, once an hour.
create or replace function take_reply(a_tenant text, a_kiosk text, message jsonb) returns void as $$
declare
  complaint text := 'it refused what should be a command: ' || coalesce(message ->> 'reason', '');
begin
  if coalesce(message ->> 'command', '') = '' then
    insert into alarm (tenant, kiosk, what)
    select a_tenant, a_kiosk, complaint
    where not exists (select from alarm a where a.tenant = a_tenant and a.kiosk = a_kiosk and a.what = complaint
                        and a.at > now() - interval '1 hour');
    return;
  end if;
  insert into command (tenant, kiosk, command, revision, action, state, reason, signed_by, settled, log)
  values (a_tenant, a_kiosk, message ->> 'command', (message ->> 'revision')::bigint, message ->> 'action',
          message ->> 'state', message ->> 'reason', message ->> 'signed_by', (message ->> 'time')::timestamptz,
          message -> 'log')
  on conflict (tenant, kiosk, command) do update
  set state = excluded.state, reason = excluded.reason, signed_by = excluded.signed_by, settled = excluded.settled,
      log = coalesce(excluded.log, command.log);
  if message ->> 'state' in ('rolled_back', 'failed', 'interrupted') then
    insert into alarm (tenant, kiosk, what)
    select a_tenant, a_kiosk, format('%s of revision %s: %s: %s', message ->> 'action', message ->> 'revision',
                                     message ->> 'state', message ->> 'reason')
    where not exists (select from alarm a where a.tenant = a_tenant and a.kiosk = a_kiosk
                        and a.what like format('%s of revision %s: %s:%%', message ->> 'action', message ->> 'revision',
                                               message ->> 'state'));
  end if;
end
$$ language plpgsql;

create or replace function take_settings(a_tenant text, a_kiosk text, message jsonb) returns void as $$
begin
  delete from setting s where s.tenant = a_tenant and s.kiosk = a_kiosk;
  insert into setting (tenant, kiosk, key, value)
  select a_tenant, a_kiosk, key, value from jsonb_each(message);
end
$$ language plpgsql;
