import { toMigration } from './statements.ts';

const clientOfEvent = `case when type like 'client.%' then json_extract(body, '$.data.object.id')
  else json_extract(body, '$.data.object.client_id') end`;

const clientOfResult = `case when record_id like 'cli\\_%' escape '\\' then record_id
  else json_extract(answer, '$.client_id') end`;

/** Whether a row belongs to a client that an earlier version deleted. */
const isOfDeleted = `client_id is not null
  and not exists (select 1 from clients as c where c.account_id = o.account_id and c.id = o.client_id)
  and not exists (select 1 from merged_clients as m
    where m.account_id = o.account_id and m.id = o.client_id and m.archive is not null)`;

const texts = ['notes', 'cancellation_reason', 'reference'];
const textsInEvents = ['object', 'previous_attributes'].flatMap((part) =>
  texts.map((field) => `'$.data.${part}.${field}', null`),
);

const nowMs = `cast(strftime('%s', 'now') as integer) * 1000`;
const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** Clears fields of all records of deleted clients. */
function clear(table: 'appointments' | 'payments', fields: readonly string[]): string[] {
  const isSet = fields.map((field) => `json_extract(record, '$.${field}') is not null`).join(' or ');
  const nulls = fields.map((field) => `'$.${field}', null`).join(', ');
  const outdated = `from ${table} as o where ${isOfDeleted} and (${isSet})`;
  return [
    `update collections set version = version + 1
      where name = '${table}' and account_id in (select account_id ${outdated})`,
    `update ${table} as o set record = json_set(record, ${nulls}, '$.updated_at', ${now}),
        updated_ms = ${nowMs}
      where ${isOfDeleted} and (${isSet})`,
  ];
}

/** What an erasure has to find, and what earlier versions did not erase. */
export const erasureMigration = toMigration(
  'alter table events add column former_client_id text',
  `create index events_former_client on events (account_id, former_client_id)
    where former_client_id is not null`,
  `update events set client_id = ${clientOfEvent},
      former_client_id = json_extract(body, '$.data.previous_attributes.client_id')
    where body is not null and type <> 'webhook.test' and type <> 'client.deleted'`,

  'alter table idempotency_keys add column client_id text',
  'create index idempotency_keys_client on idempotency_keys (account_id, client_id) where client_id is not null',
  // New ones that show a secret are sealed.
  "delete from idempotency_keys where record_id like 'whk\\_%' escape '\\' and answer like '%\"whsec\\_%' escape '\\'",
  `update idempotency_keys set client_id = ${clientOfResult} where answer is not null and json_valid(answer)`,

  'create table erasures (seq integer primary key, erased_ms integer not null)',
  ...clear('appointments', ['notes', 'cancellation_reason']),
  ...clear('payments', ['reference']),
  `update events as o set body = json_replace(body, ${textsInEvents.join(', ')})
    where body is not null and type not like 'client.%' and ${isOfDeleted}`,
  `insert into erasures (erased_ms) select ${nowMs} where exists (select 1 from accounts)`,
);
