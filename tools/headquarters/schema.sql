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
drop index if exists attempt_by_time;  -- of before: by tenant first, which today's money of all tenants is not asked by
create index if not exists attempt_by_start on attempt (started);

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
alter table alarm add column if not exists kind text not null default '';
alter table alarm add column if not exists left_out bigint not null default 0;  -- of its kind, and not put down
create index if not exists alarm_by_kiosk on alarm (tenant, kiosk, at);

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

-- What a kiosk sends is judged here. A kiosk that somebody has taken over may send anything under its own name: each function
-- below raises an error, with a sentence, for what is not of its kind, and then nothing of that message is kept.

-- A text of at most so many characters.
create or replace function text_of(message jsonb, name text, most integer) returns text as $$
declare
  value text := message ->> name;
begin
  if jsonb_typeof(message -> name) is distinct from 'string' then
    raise exception '% must be a text', name;
  elsif length(value) > most then
    raise exception '% has more than % characters', name, most;
  end if;
  return value;
end
$$ language plpgsql;

-- The same, where it may be left out.
create or replace function text_if_any(message jsonb, name text, most integer) returns text as $$
begin
  if coalesce(jsonb_typeof(message -> name), 'null') = 'null' then return null; end if;
  return text_of(message, name, most);
end
$$ language plpgsql;

-- A text that a pattern describes as a whole.
create or replace function word_of(message jsonb, name text, pattern text) returns text as $$
declare
  value text := text_of(message, name, 200);
begin
  if value !~ ('^(' || pattern || ')$') then raise exception '% is not what it must be', name; end if;
  return value;
end
$$ language plpgsql;

create or replace function whole_of(message jsonb, name text, most bigint) returns bigint as $$
declare
  value numeric;
begin
  if jsonb_typeof(message -> name) is distinct from 'number' then
    raise exception '% must be a number', name;
  end if;
  value := (message ->> name)::numeric;
  if value < 0 or value > most or value <> trunc(value) then
    raise exception '% must be a whole number from 0 to %', name, most;
  end if;
  return value::bigint;
end
$$ language plpgsql;

create or replace function is_true(message jsonb, name text) returns boolean as $$
begin
  if coalesce(jsonb_typeof(message -> name), 'null') not in ('boolean', 'null') then
    raise exception '% must be true or false', name;
  end if;
  return coalesce((message ->> name)::boolean, false);
end
$$ language plpgsql;

-- RFC 3339, of a year with four digits.
create or replace function time_of(message jsonb, name text) returns timestamptz as $$
begin
  return word_of(message, name,
                 '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})')::timestamptz;
end
$$ language plpgsql;

create or replace function must_be_object(message jsonb) returns void as $$
begin
  if jsonb_typeof(message) is distinct from 'object' then raise exception 'it is no object'; end if;
end
$$ language plpgsql;

-- Whether Prometheus can be told of it: a name, and labels in braces or none. The labels tenant and kiosk are headquarters' own.
create or replace function is_metric(name text) returns boolean as $$
  select length(name) <= 300
    and name ~ ('^[a-zA-Z_:][a-zA-Z0-9_:]*'
                '([{][a-zA-Z_][a-zA-Z0-9_]*="([^"\\[:cntrl:]]|\\["\\n])*"(,[a-zA-Z_][a-zA-Z0-9_]*="([^"\\[:cntrl:]]|\\["\\n])*")*[}])?$')
    and name !~ '[{,](tenant|kiosk|__[a-zA-Z0-9_]*)="'
    and (select count(*) = count(distinct label[1]) from regexp_matches(name, '[{,]([a-zA-Z_][a-zA-Z0-9_]*)="', 'g') as label);
$$ language sql immutable;
delete from metric where not is_metric(name) or not abs(value) <= 1e300;

-- An alarm about a kiosk: the same one once an hour, and 20 of each kind, so that a kiosk that floods fills no disk, and hides
-- neither another kiosk's alarm nor another kind of its own. What is left out is counted at the last one that is kept.
create or replace function take_alarm(a_tenant text, a_kiosk text, a_kind text, a_what text) returns void as $$
declare
  same bigint;
  newest bigint;
  of_its_kind bigint;
begin
  select max(id) filter (where a.what = left(a_what, 500)), max(id), count(*) into same, newest, of_its_kind from alarm a
  where a.tenant = a_tenant and a.kiosk = a_kiosk and a.kind = a_kind and a.at > now() - interval '1 hour';
  if same is not null or of_its_kind >= 20 then
    update alarm set left_out = left_out + 1 where id = coalesce(same, newest);
  else
    insert into alarm (tenant, kiosk, kind, what) values (a_tenant, a_kiosk, a_kind, left(a_what, 500));
  end if;
end
$$ language plpgsql;

create or replace function take_entry(a_tenant text, a_kiosk text, a_life integer, entry jsonb) returns void as $$
declare
  a jsonb := entry -> 'attempt';
  begun timestamptz;
  -- Values, not calls: a condition that calls a function of ours is tried on every attempt of the kiosk, and no index helps.
  a_reference text;
  a_number bigint;
begin
  case text_of(entry, 'kind', 50)
  when 'attempt' then
    begun := time_of(a, 'started_at');
    insert into attempt
    select a_tenant, a_kiosk, a_life, text_of(a, 'reference', 100), whole_of(a, 'attempt', 1000000), begun, null,
           word_of(a, 'endpoint', '[a-z0-9_]{1,64}'), text_of(a, 'operator', 1000), text_of(a, 'case', 1000),
           text_of(a, 'stage', 64), whole_of(a, 'http_status', 999999), word_of(a, 'billed', 'yes|no|maybe'),
           text_of(a, 'rule', 1000), word_of(a, 'price', '[0-9]{1,12}([.][0-9]{1,2})?')::numeric,
           word_of(a, 'currency', '([A-Z]{3})?'), text_of(a, 'attempt_id', 1000), text_of(a, 'service_reference', 1000);
    if begun not between '2020-01-01' and now() + interval '1 day' then
      perform take_alarm(a_tenant, a_kiosk, 'time of an attempt', format(
        'an attempt of its ledger, %s, is dated %s: its clock is wrong, and its money is in another month''s ledger',
        a ->> 'reference', a ->> 'started_at'));
    end if;
  when 'attempt_ended' then
    a_reference := text_of(entry, 'reference', 100);
    a_number := whole_of(entry, 'attempt', 1000000);
    update attempt
    set ended = time_of(entry, 'ended_at'), stage = text_of(entry, 'stage', 64), status = whole_of(entry, 'http_status', 999999),
        billed = word_of(entry, 'billed', 'yes|no|maybe'), rule = text_of(entry, 'rule', 1000),
        service_reference = text_of(entry, 'service_reference', 1000)
    where tenant = a_tenant and kiosk = a_kiosk and life = a_life and reference = a_reference and number = a_number;
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
  if jsonb_typeof(records) is distinct from 'array' then raise exception 'records must be a list'; end if;
  for each in select value from jsonb_array_elements(records) loop
    exit when broken;
    at := whole_of(each, 'number', 1000000000000000);
    perform word_of(each, 'mac', '[0-9a-f]{64}'), word_of(each, 'mac_before', '[0-9a-f]{64}');
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
      insert into alarm (tenant, kiosk, kind, what) values (a_tenant, a_kiosk, 'journal ' || a_journal,
        format('record %s of its %s is not what was kept here, or does not follow it: an older copy was put back, or it was changed',
               at, a_journal));
    elsif at > head.number then
      insert into record (tenant, kiosk, journal, life, number, mac, body)
      values (a_tenant, a_kiosk, a_journal, head.life, at, each ->> 'mac', each - 'number' - 'mac' - 'mac_before');
      if a_journal = 'ledger' then
        if jsonb_typeof(each -> 'entries') is distinct from 'array' then raise exception 'entries must be a list'; end if;
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
declare
  health jsonb := nullif(message -> 'health', 'null');
begin
  perform must_be_object(message);
  if health is not null and jsonb_typeof(health -> 'parts') is distinct from 'array' then
    raise exception 'the parts of health must be a list';
  end if;
  insert into kiosk (tenant, kiosk, gone, version, ready, health)
  values (a_tenant, a_kiosk, is_true(message, 'gone'), text_if_any(message, 'version', 64),
          case when health is not null then is_true(health, 'ready') end, health)
  on conflict (tenant, kiosk) do update
  set heard = now(), gone = excluded.gone,
      version = coalesce(excluded.version, kiosk.version), ready = coalesce(excluded.ready, kiosk.ready),
      health = coalesce(excluded.health, kiosk.health);
end
$$ language plpgsql;

create or replace function take_metrics(a_tenant text, a_kiosk text, message jsonb) returns void as $$
declare
  wrong text;
begin
  perform must_be_object(message), must_be_object(message -> 'values');
  select left(key, 100) into wrong from jsonb_each(message -> 'values')
  where not is_metric(key) or jsonb_typeof(value) <> 'number' limit 1;
  if found then raise exception '% is no number that Prometheus could be told of', wrong; end if;
  if is_true(message, 'full') then
    delete from metric m where m.tenant = a_tenant and m.kiosk = a_kiosk;
  end if;
  insert into metric (tenant, kiosk, name, value)
  select a_tenant, a_kiosk, key, value::text::double precision from jsonb_each(message -> 'values')
  on conflict (tenant, kiosk, name) do update set value = excluded.value, at = now();
  if (select count(*) from metric m where m.tenant = a_tenant and m.kiosk = a_kiosk) > 3000 then
    raise exception 'it has more than 3000 numbers';
  end if;
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

-- What a kiosk says to a command. A refusal of what nobody signed who may is an alarm.
create or replace function take_reply(a_tenant text, a_kiosk text, message jsonb) returns void as $$
declare
  a_reason text := coalesce(left(text_if_any(message, 'reason', 100000), 2000), '');
  a_log jsonb := nullif(message -> 'log', 'null');
begin
  perform must_be_object(message);
  if coalesce(text_if_any(message, 'command', 64), '') = '' then
    perform take_alarm(a_tenant, a_kiosk, 'refused command', 'it refused what should be a command: ' || a_reason);
    return;
  end if;
  if a_log is not null and jsonb_typeof(a_log) <> 'array' then raise exception 'log must be a list'; end if;
  insert into command (tenant, kiosk, command, revision, action, state, reason, signed_by, settled, log)
  values (a_tenant, a_kiosk, word_of(message, 'command', '[0-9a-f]{64}'), whole_of(message, 'revision', 9007199254740992),
          word_of(message, 'action', '[a-z_]{0,40}'), word_of(message, 'state', '[a-z_]{1,40}'), a_reason,
          coalesce(text_if_any(message, 'signed_by', 500), ''), time_of(message, 'time'), a_log)
  on conflict (tenant, kiosk, command) do update
  set state = excluded.state, reason = excluded.reason, signed_by = excluded.signed_by, settled = excluded.settled,
      log = coalesce(excluded.log, command.log);
  if (select count(*) from command c where c.tenant = a_tenant and c.kiosk = a_kiosk and c.settings is null) > 5000 then
    raise exception 'it has answered more than 5000 commands';
  end if;
  if message ->> 'state' in ('rolled_back', 'failed', 'interrupted') then
    perform take_alarm(a_tenant, a_kiosk, 'command ' || (message ->> 'state'),
                       format('its command %s of revision %s: %s: %s', message ->> 'action', message ->> 'revision',
                              message ->> 'state', a_reason));
  end if;
end
$$ language plpgsql;

create or replace function take_settings(a_tenant text, a_kiosk text, message jsonb) returns void as $$
begin
  perform must_be_object(message);
  if exists (select from jsonb_each(message) where key !~ '^[a-z0-9_.]{1,100}$' or length(value::text) > 20000) or
     (select count(*) from jsonb_each(message)) > 1000 then
    raise exception 'these are no settings';
  end if;
  delete from setting s where s.tenant = a_tenant and s.kiosk = a_kiosk;
  insert into setting (tenant, kiosk, key, value)
  select a_tenant, a_kiosk, key, value from jsonb_each(message);
end
$$ language plpgsql;
