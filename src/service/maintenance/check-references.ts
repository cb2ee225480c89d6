import type { DatabaseSnapshot } from '../db/snapshot.ts';

/** Columns that name a row of another table of the same account. Appointments keep the client who was deleted. */
const references: readonly {
  readonly from: string;
  readonly columns: readonly string[];
  readonly to: string;
}[] = [
  { from: 'appointments', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'payments', columns: ['appointment_id=id'], to: 'appointments' },
  { from: 'payments', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'memberships', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'api_keys', columns: ['stylist_id=id'], to: 'stylists' },
  { from: 'deliveries', columns: ['event_seq=seq'], to: 'events' },
  {
    from: 'delivery_attempts',
    columns: ['event_seq=event_seq', 'webhook_id=webhook_id'],
    to: 'deliveries',
  },
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
  for (const [table, columns] of await readTables()) {
    for (const [column, to] of [
      ['account_id', 'accounts'],
      ['user_id', 'users'],
    ] as const) {
      if (!columns.includes(column)) continue;
      const exists = `exists (select 1 from ${to} as t where t.id = r.${column})`;
      await find(table, to, `r.${column} <> ${noAccounts} and not ${exists}`);
    }
  }
  for (const { from, columns, to } of references) {
    const pairs = columns.map((pair) => pair.split('=') as [string, string]);
    const isSame = pairs.map(([own, other]) => `t.${other} = r.${own}`).join(' and ');
    const isSet = pairs.map(([own]) => `r.${own} is not null`).join(' and ');
    const exists = `exists (select 1 from ${to} as t where t.account_id = r.account_id and ${isSame})`;
    await find(from, to, `${isSet} and not ${exists}`);
  }
  return problems;
}
