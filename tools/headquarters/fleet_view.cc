#include "tools/headquarters/fleet_view.h"

#include "app/queue/call_record.h"
#include "platform/base/json.h"
#include "platform/base/text/csv_field.h"
#include "platform/base/text/printable.h"

namespace idkiosk::headquarters {
namespace {

// A kiosk's health, the worst first, and what it complains of. $1: after how long it is silent. $2
// and $3: the states of calls that go on, and of those that need a person.
// What one kiosk sent, whatever it is, makes no statement about others fail.
constexpr const char* kKiosks = R"(
with part as (
  select tenant, kiosk, left(string_agg(p ->> 'part' || ': ' || coalesce(p ->> 'text', p ->> 'state'), '; '), 1000) as complaint
  from kiosk,
    jsonb_array_elements(case when jsonb_typeof(health -> 'parts') = 'array' then health -> 'parts' else '[]' end) as p
  where p ->> 'state' = 'bad' group by tenant, kiosk
), broken as (
  select tenant, kiosk, string_agg(format('its %s does not follow from record %s on', journal, broken_at), '; ') as complaint
  from journal where broken_at is not null group by tenant, kiosk
), today as (
  select tenant, kiosk, left(string_agg(sum || ' ' || currency, ', ' order by currency), 200) as money from (
    select tenant, kiosk, currency, sum(price)::text from attempt
    where started >= date_trunc('day', now(), 'UTC') and started < date_trunc('day', now(), 'UTC') + interval '1 day'
      and billed <> 'no' group by tenant, kiosk, currency) as each
  group by tenant, kiosk
), state as (
  select needs_person, format('idkiosk_queue_calls{state="%s"}', unnest(string_to_array(states, ','))) as name
  from (values (false, $2), (true, $3)) as of_course (needs_person, states)
), calls as (
  select tenant, kiosk, needs_person,
    case when bool_and(value between 0 and 1e9) then sum(greatest(0, least(value, 1e9)))::bigint::text else '?' end as number
  from metric join state using (name) group by tenant, kiosk, needs_person
), camera as (
  select tenant, kiosk, case when f.value between 0 and 1e12 and s.value between 1 and 1e12
                          then round((f.value / s.value)::numeric, 1)::text end as frames_a_second
  from metric f join metric s using (tenant, kiosk)
  where f.name = 'idkiosk_frames_total' and s.name = 'idkiosk_capture_seconds_sum'
)
select k.tenant, k.kiosk,
  case when k.gone then 'gone' when k.heard < now() - $1::interval then 'silent'
       when not coalesce(k.ready, false) or b.complaint is not null then 'bad' else 'good' end as health,
  to_char(k.heard at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), coalesce(k.version, ''),
  coalesce(w.number, '0'), coalesce(n.number, '0'), coalesce(t.money, ''),
  concat_ws('; ', b.complaint, p.complaint), coalesce(c.frames_a_second, '')
from kiosk k
left join part p using (tenant, kiosk) left join broken b using (tenant, kiosk) left join today t using (tenant, kiosk)
left join camera c using (tenant, kiosk)
left join calls w on w.tenant = k.tenant and w.kiosk = k.kiosk and not w.needs_person
left join calls n on n.tenant = k.tenant and n.kiosk = k.kiosk and n.needs_person
order by array_position(array['gone', 'silent', 'bad', 'good'],
  case when k.gone then 'gone' when k.heard < now() - $1::interval then 'silent'
       when not coalesce(k.ready, false) or b.complaint is not null then 'bad' else 'good' end), k.tenant, k.kiosk)";

// $1: how many; $2: of one kiosk, so that one that has many hides no other's. The newest of each
// kind count first, so that many of one kind hide no other.
constexpr const char* kAlarms = R"(
select to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), tenant, kiosk,
  what || case when left_out > 0 then format('; and %s more of this kind within the hour', left_out) else '' end
from (select *, row_number() over (partition by tenant, kiosk order by nth_of_kind, id desc) as nth
      from (select *, row_number() over (partition by tenant, kiosk, kind order by id desc) as nth_of_kind
            from (select * from alarm order by id desc limit 10000) as newest) as of_kinds) as numbered
where nth <= $2::bigint order by id desc limit $1)";

constexpr const char* kLedger = R"(
select to_char(started at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), tenant, kiosk, reference, number::text, endpoint, operator, case_id, stage,
       status::text, billed, rule, price::text, currency, attempt_id, service_reference
from attempt
where ($1 = '' or tenant = $1) and started >= $2::timestamp at time zone 'utc'
  and started < ($2::timestamp + interval '1 month') at time zone 'utc'
order by started, tenant, kiosk, reference, number)";
constexpr const char* kLedgerHead =
    "started_at,tenant,kiosk,reference,attempt,endpoint,operator,case,stage,http_status,billed,"
    "rule,"
    "price,currency,attempt_id,service_reference\r\n";

constexpr const char* kMoney = R"(
select tenant, endpoint, currency, count(*), sum(price) filter (where billed <> 'no')
from attempt where started >= date_trunc('day', now(), 'UTC') and started < date_trunc('day', now(), 'UTC') + interval '1 day'
group by tenant, endpoint, currency order by 1, 2, 3)";

// "unknown,damaged"
std::string StatesOf(CallCourse course) {
  std::string names;
  for (const CallStateTraits& each : kCallStates) {
    if (each.course == course) names += (names.empty() ? "" : ",") + std::string(each.name);
  }
  return names;
}

bool IsMonth(std::string_view month) {
  if (month.size() != 7 || month[4] != '-') return false;
  for (const size_t i : {0, 1, 2, 3, 5, 6}) {
    if (month[i] < '0' || month[i] > '9') return false;
  }
  const int number = (month[5] - '0') * 10 + (month[6] - '0');
  return number >= 1 && number <= 12;
}

}  // namespace

Result<std::vector<KioskRow>> Kiosks(Database& database, const std::string& silent_after) {
  const auto rows = database.Run(
      kKiosks, {silent_after, StatesOf(CallCourse::kGoesOn), StatesOf(CallCourse::kNeedsPerson)});
  if (!rows) return std::unexpected(rows.error());
  std::vector<KioskRow> kiosks;
  for (const auto& row : *rows) {
    kiosks.push_back(
        {row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9]});
  }
  return kiosks;
}

Result<Rows> Alarms(Database& database, int most, int most_of_one) {
  return database.Run(kAlarms, {fmt::format("{}", most), fmt::format("{}", most_of_one)});
}

Result<std::string> LedgerCsv(Database& database, const std::string& tenant,
                              const std::string& month) {
  if (!IsMonth(month)) {
    return Fail(ErrorCode::kInvalid, "'{}' is no month: one is like 2026-11", month);
  }
  const auto rows = database.Run(kLedger, {tenant, month + "-01"});
  if (!rows) return std::unexpected(rows.error());
  std::string csv = kLedgerHead;
  for (const auto& row : *rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      csv += (i == 0 ? "" : ",") + CsvField(Printable(row[i]));
    }
    csv += "\r\n";
  }
  return csv;
}

Result<std::string> FleetJson(Database& database, const std::string& silent_after) {
  const auto kiosks = Kiosks(database, silent_after);
  if (!kiosks) return std::unexpected(kiosks.error());
  constexpr int kMostAlarms = 50;
  constexpr int kMostOfOne = 5;
  const auto alarms = Alarms(database, kMostAlarms, kMostOfOne);
  if (!alarms) return std::unexpected(alarms.error());
  const auto money = database.Run(kMoney);
  if (!money) return std::unexpected(money.error());
  JsonWriter json;
  json.BeginObject().Key("kiosks").BeginArray();
  for (const KioskRow& each : *kiosks) {
    json.BeginObject()
        .Field("tenant", each.tenant)
        .Field("kiosk", each.kiosk)
        .Field("health", each.health)
        .Field("heard", each.heard)
        .Field("version", each.version)
        .Field("waiting", each.waiting)
        .Field("need_person", each.need_person)
        .Field("today", each.today)
        .Field("complaint", each.complaint)
        .Field("frames_a_second", each.frames_a_second)
        .EndObject();
  }
  json.EndArray().Key("alarms").BeginArray();
  for (const auto& each : *alarms) {
    json.BeginObject().Field("time", each[0]).Field("tenant", each[1]).Field("kiosk", each[2]);
    json.Field("what", each[3]).EndObject();
  }
  json.EndArray().Key("money").BeginArray();
  for (const auto& each : *money) {
    json.BeginObject().Field("tenant", each[0]).Field("endpoint", each[1]);
    json.Field("currency", each[2]).Field("attempts", each[3]).Field("cost", each[4]).EndObject();
  }
  return json.EndArray().EndObject().Take();
}

Result<std::string> MetricsText(Database& database) {
  const auto rows = database.Run(
      "select tenant, kiosk, name, value::text from metric order by name, tenant, kiosk");
  if (!rows) return std::unexpected(rows.error());
  std::string text;
  for (const auto& row : *rows) {
    const std::string& name = row[2];
    const size_t brace = name.find('{');
    const bool has_labels = brace != std::string::npos && name.ends_with('}');
    text += fmt::format("{}{{tenant=\"{}\",kiosk=\"{}\"{}{}}} {}\n", name.substr(0, brace), row[0],
                        row[1], has_labels ? "," : "",
                        has_labels ? name.substr(brace + 1, name.size() - brace - 2) : "", row[3]);
  }
  return text;
}

}  // namespace idkiosk::headquarters
