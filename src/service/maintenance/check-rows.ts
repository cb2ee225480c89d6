import type { Appointment } from '../../contract/appointment.ts';
import { type Payment, toPaidAmount } from '../../contract/payment.ts';
import type { DatabaseSnapshot } from '../db/engine.ts';
import { type CollectionName, collections } from '../db/record-rows.ts';

/** Compares the bytes that accounts are said to store with full scans of records, events and audit logs. */
export async function findWrongStoredBytes(snapshot: DatabaseSnapshot): Promise<string[]> {
  return [
    ...(await findWrongCollections(snapshot)),
    ...(await findWrongSteps(snapshot, 'events', eventSteps)),
    ...(await findWrongSteps(snapshot, 'audit_entries', auditSteps)),
  ];
}

/** The collections that the database has: migrations may be missing. */
export async function readCollections({ readTables }: DatabaseSnapshot): Promise<readonly CollectionName[]> {
  const tables = await readTables();
  return collections.filter((name) => tables.has(name));
}

async function findWrongCollections(snapshot: DatabaseSnapshot): Promise<string[]> {
  const problems: string[] = [];
  for (const name of await readCollections(snapshot)) {
    const rows = await snapshot.reader.run<{ account: string; bytes: number; found: number }>(
      `select * from (
          select c.account_id as account, c.bytes as bytes, cast(coalesce(r.found, 0) as bigint) as found
          from collections as c left join (
            select account_id, sum(octet_length(record)) as found from ${name} group by account_id
          ) as r on r.account_id = c.account_id
          where c.name = '${name}'
        ) as compared where bytes <> found`,
      [],
    );
    for (const { account, bytes, found } of rows) {
      problems.push(`${account}: the bytes of ${name} are ${bytes}, but the records have ${found}.`);
    }
  }
  return problems;
}

/** Null in place of an erased text can be this much longer, in each of the four texts of an event. */
const longerByErasure = 4;

/**
 * The rows of a log, what each added to the running total (`step`), and the bytes of its texts. Those may have been more
 * before an erasure (`is_erased`).
 */
const eventSteps = `select e.account_id as account, e.seq, e.stored_bytes as total,
    e.stored_bytes - lag(e.stored_bytes) over (partition by e.account_id order by e.seq) as step,
    coalesce(octet_length(e.body), 0) as bytes,
    case when e.seq <= d.seq then 1 else 0 end as is_erased
  from events as e left join (
    select account_id, max(seq) as seq from events where type = 'client.deleted' group by account_id
  ) as d on d.account_id = e.account_id`;

const auditSteps = `select e.account_id as account, e.seq, e.stored_bytes as total,
    e.stored_bytes - lag(e.stored_bytes) over (partition by e.account_id order by e.seq) as step,
    coalesce(octet_length(e.changes), 0) + coalesce(octet_length(v.body), 0) as bytes,
    case when e.values_digest is not null and v.body is null then 1 else 0 end as is_erased
  from audit_entries as e left join audit_values as v on v.account_id = e.account_id and v.seq = e.seq`;

const maxProblems = 100;

/** Old rows are deleted from the front, so the first one only shows that its total is not too small. */
async function findWrongSteps(
  { reader }: DatabaseSnapshot,
  table: 'events' | 'audit_entries',
  steps: string,
): Promise<string[]> {
  const rows = await reader.run<{ account: string; seq: number; added: number; bytes: number }>(
    `select account, seq, cast(coalesce(step, total) as bigint) as added, cast(bytes as bigint) as bytes
      from (${steps}) as steps
      where coalesce(step, total) < bytes - case is_erased when 1 then ${longerByErasure} else 0 end
        or (is_erased = 0 and step > bytes)
      order by account, seq limit ${maxProblems}`,
    [],
  );
  return rows.map(
    ({ account, seq, added, bytes }) =>
      `${account}: row ${seq} of ${table} added ${added} to the stored bytes, but has ${bytes}.`,
  );
}

/**
 * Compares what appointments say is paid of them with their payments. A process of the release before does not know of it:
 * it leaves the appointment older than the payment.
 */
export async function findWrongPaidAmounts(snapshot: DatabaseSnapshot): Promise<string[]> {
  const { reader, readRows, readTables } = snapshot;
  if (!(await readTables()).get('appointments')?.includes('payment')) return [];
  const accountTexts = 'select id, settings from accounts';
  const accounts = await reader.run<{ id: string; settings: string | null }>(accountTexts, []);
  const currencies = new Map<string, string | undefined>(
    accounts.map(({ id, settings }) => [id, JSON.parse(settings ?? '{}').currency]),
  );
  const problems: string[] = [];
  let open: { readonly first: AppointmentWithPayment; readonly payments: Payment[] } | undefined;
  const close = () => {
    if (open === undefined || problems.length >= maxProblems) return;
    const { account_id, record, updated_ms } = open.first;
    const { id, price = null, paid_amount }: Appointment = JSON.parse(record);
    const isKnown = open.payments.every(({ updated_at }) => Date.parse(updated_at) <= updated_ms);
    const paid = toPaidAmount(open.payments, price === null ? null : (currencies.get(account_id) ?? null));
    if (!isKnown || paid_amount === undefined || paid_amount === paid) return;
    problems.push(`${account_id}, ${id}: paid_amount is ${paid_amount}, but the payments have ${paid}.`);
  };
  for await (const rows of readRows<AppointmentWithPayment>(withPayments)) {
    for (const row of rows) {
      if (open?.first.account_id !== row.account_id || open.first.seq !== row.seq) {
        close();
        open = { first: row, payments: [] };
      }
      if (row.payment !== null) open.payments.push(JSON.parse(row.payment));
    }
  }
  close();
  return problems;
}

interface AppointmentWithPayment {
  readonly account_id: string;
  readonly seq: number;
  readonly updated_ms: number;
  readonly record: string;
  readonly payment: string | null;
}

const withPayments = `select a.account_id, a.seq, a.updated_ms, a.record, p.record as payment
  from appointments as a
  left join payments as p on p.account_id = a.account_id and p.appointment_id = a.id
  order by a.account_id, a.seq`;

/** Columns that name a row of another table of the same account. Appointments keep the client who was deleted. */
export const references = [
  { from: 'appointments', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'blocked_times', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'waitlist_entries', columns: ['client_id=id'], to: 'clients' },
  { from: 'waitlist_entries', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'payments', columns: ['appointment_id=id'], to: 'appointments' },
  { from: 'payments', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'memberships', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'api_keys', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'deliveries', columns: ['event_seq=seq'], to: 'events' },
  { from: 'delivery_attempts', columns: ['event_seq=event_seq', 'webhook_id=webhook_id'], to: 'deliveries' },
];

/** The chain of the service itself is no account. */
const noAccounts = "'service'";

/** Finds rows that refer to accounts, people or records that do not exist. */
export async function findMissingReferences({ reader, readTables }: DatabaseSnapshot): Promise<string[]> {
  const problems: string[] = [];
  const find = async (table: string, to: string, missing: string) => {
    const text = `select cast(count(*) as bigint) as count from ${table} as r where ${missing}`;
    const [row] = await reader.run<{ count: number }>(text, []);
    const count = row?.count ?? 0;
    if (count > 0) {
      problems.push(`${count} ${count === 1 ? 'row' : 'rows'} of ${table} refer to ${to} that do not exist.`);
    }
  };
  const tables = await readTables();
  for (const [table, columns] of tables) {
    for (const [column, to] of Object.entries({ account_id: 'accounts', user_id: 'users' })) {
      if (!columns.includes(column)) continue;
      const exists = `exists (select 1 from ${to} as t where t.id = r.${column})`;
      await find(table, to, `r.${column} <> ${noAccounts} and not ${exists}`);
    }
  }
  for (const { from, columns, to } of references) {
    if (!tables.has(from)) continue;
    const pairs = columns.map((pair) => pair.split('=') as [string, string]);
    const isSame = pairs.map(([own, other]) => `t.${other} = r.${own}`).join(' and ');
    const isSet = pairs.map(([own]) => `r.${own} is not null`).join(' and ');
    const exists = `exists (select 1 from ${to} as t where t.account_id = r.account_id and ${isSame})`;
    await find(from, to, `${isSet} and not ${exists}`);
  }
  return problems;
}
