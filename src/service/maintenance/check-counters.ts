import { type CollectionName, collections } from '../db/record-rows.ts';
import type { DatabaseSnapshot } from '../db/snapshot.ts';

/** Compares totals and last positions of all collections with full scans. */
export async function findWrongCounters(snapshot: DatabaseSnapshot): Promise<string[]> {
  const problems = await findMissingCollections(snapshot);
  for (const name of collections) {
    problems.push(...(await findWrongTotals(snapshot, name)));
  }
  return problems;
}

async function findMissingCollections({ reader }: DatabaseSnapshot): Promise<string[]> {
  const names = collections.map((name) => `select '${name}' as name`).join(' union all ');
  const rows = await reader.run<{ account: string; name: string }>(
    `select a.id as account, n.name as name from accounts as a cross join (${names}) as n
      where not exists (select 1 from collections as c where c.account_id = a.id and c.name = n.name)`,
    [],
  );
  return rows.map(({ account, name }) => `${account} has no counters for ${name}.`);
}

interface Totals {
  readonly account: string;
  readonly total: number;
  readonly found: number;
  readonly last: number;
  readonly newest: number;
}

async function findWrongTotals({ reader }: DatabaseSnapshot, name: CollectionName): Promise<string[]> {
  const rows = await reader.run<Totals>(
    `select * from (
        select c.account_id as account, c.total as total, coalesce(r.found, 0) as found, c.last_seq as last,
          coalesce(r.newest, 0) as newest
        from collections as c left join (
          select account_id, count(*) as found, max(seq) as newest from ${name} group by account_id
        ) as r on r.account_id = c.account_id
        where c.name = '${name}'
      ) as compared where total <> found or last < newest`,
    [],
  );
  return rows.map(({ account, total, found, last, newest }) =>
    total === found
      ? `${account}: the last position of ${name} is ${last}, but one has ${newest}.`
      : `${account}: the total of ${name} is ${total}, but there are ${found}.`,
  );
}
