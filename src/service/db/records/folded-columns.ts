import type { Client } from '../../../contract/client.ts';
import type { SalonService } from '../../../contract/salon-service.ts';
import { toDigits } from '../../../text/phone-forms.ts';
import { foldText, toFullNames, toSearchText, toSortKey } from '../../../text/search-text.ts';
import { type Engine, readColumn, type Writer } from '../engine.ts';
import type { CollectionKey } from '../pages.ts';
import type { DerivedColumns } from '../record-rows.ts';
import { readServiceByName } from './records.ts';

/**
 * The columns of folded texts. A change of what they hold needs a migration that clears `folded_ms`, and new cursors
 * (`nameOrder`).
 */
export const foldedColumns = {
  clients: ({ first_name, last_name, email, phone, updated_at }: Client): DerivedColumns['clients'] => ({
    last_name_key: toSortKey(last_name ?? ''),
    email,
    phone_digits: phone === null ? null : toDigits(phone),
    search: toSearchText(toFullNames(first_name ?? '', last_name ?? ''), email ?? '', phone ?? ''),
    folded_ms: Date.parse(updated_at),
  }),
  services: ({ name, active, price, updated_at }: SalonService): DerivedColumns['services'] => ({
    name_key: foldText(name),
    active: active ? 1 : 0,
    price,
    folded_ms: Date.parse(updated_at),
  }),
};

const maxRows = 500;

/** Those that may differ from the record until the row is folded again. */
export const foldedTexts = ['last_name_key', 'phone_digits', 'search', 'name_key'];

/** Rows that a release with other keys has written since; an index lists them. */
const isOutdated = 'coalesce(folded_ms, -1) <> updated_ms';

/** Folds texts again that another release has folded, a few rows at a time: others can write in between. */
export async function foldAgain({ reader, transaction }: Pick<Engine, 'reader' | 'transaction'>) {
  for (const collection of ['clients', 'services'] as const) {
    const find = `select distinct account_id from ${collection} where ${isOutdated}`;
    for (const accountId of await readColumn<string>(reader, find, [])) {
      let seq: number | undefined = 0;
      while (seq !== undefined) {
        const after: number = seq;
        seq = await transaction({ accountId }, (tx) => foldRows(tx, { accountId, collection }, after));
      }
    }
  }
}

/** Returns the position of the last row that was read; undefined after the last one of the list. */
async function foldRows(
  tx: Writer,
  { accountId, collection }: CollectionKey & { readonly collection: keyof typeof foldedColumns },
  after: number,
): Promise<number | undefined> {
  const rows = await tx.run<{ seq: number; id: string; record: string }>(
    `select seq, id, record from ${collection} where account_id = ? and ${isOutdated} and seq > ?
      order by seq limit ${collection === 'services' ? 1 : maxRows}`,
    [accountId, after],
  );
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const changes = rows.flatMap(({ seq, record }) => {
    try {
      return [{ seq, ...foldedColumns[collection](JSON.parse(record)) }];
    } catch {
      // The check of the database names a damaged record; the others can be used.
      return [];
    }
  });
  const [first] = changes;
  if (first === undefined) return last.seq;
  const nameKey = 'name_key' in first ? first.name_key : undefined;
  const found = nameKey === undefined ? undefined : await readServiceByName(tx, { accountId, nameKey });
  // A service whose name has become that of another keeps its former key.
  if (found !== undefined && found.id !== last.id) return last.seq;
  const columns = foldedTexts.filter((name) => name in first);
  const sets = columns.map((name, index) => `${name} = folded.column${index + 2}`).join(', ');
  const tuple = `(?${', ?'.repeat(columns.length)})`;
  const values = changes.flatMap((one) => ['seq', ...columns].map((name) => Reflect.get(one, name)));
  // Of several statements, each would write the search index of SQLite, which takes ten times as long.
  await tx.run(
    `update ${collection} set ${sets}, folded_ms = updated_ms
      from (values ${changes.map(() => tuple).join(', ')}) as folded
      where ${collection}.account_id = ? and ${collection}.seq = cast(folded.column1 as bigint)`,
    [...values, accountId],
  );
  const raise = 'update collections set version = version + 1 where account_id = ? and name = ?';
  await tx.run(raise, [accountId, collection]);
  return last.seq;
}
