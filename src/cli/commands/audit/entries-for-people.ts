import type { Row } from '../../../bulk/export/write-pages.ts';
import { describeChanges, listChanges } from '../../../contract/describe-audit.ts';
import { countOf } from '../../../contract/numbers.ts';
import type { RecordPage } from '../../output/command-result.ts';

/** Equal changes that follow one another so closely are one bulk edit. */
const maxApartMs = 10_000;
const fewestCollapsed = 5;
const collapsible =
  /^(client|appointment|payment|stylist)\.(created|updated|deleted|cancelled|confirmed|rescheduled|completed|refunded)$/;

/** Entries as people read them: without the reads of `own`, who is asking, and a line for each bulk edit. */
export async function* toEntriesForPeople(
  pages: AsyncIterable<RecordPage>,
  { own, say }: { readonly own: readonly unknown[]; readonly say: (text: string) => void },
): AsyncGenerator<RecordPage> {
  let [hidden, collapsed] = [0, 0];
  // Of many equal changes only the number is kept.
  let run: { rows: Row[]; count: number; fields: Set<string>; last: Row } | undefined;
  const endRun = (): readonly Row[] => {
    const { rows = [], count = 0, fields = new Set() } = run ?? {};
    if (count < fewestCollapsed) return rows;
    collapsed += 1;
    const [, resource = '', verb = ''] = collapsible.exec(String(rows[0]?.['action'])) ?? [];
    const action = `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)} ${countOf(count, `${resource}s`)}`;
    const details = fields.size > 0 && { details: { fields: [...fields] } };
    const line = { created_at: rows[0]?.['created_at'], who: rows[0]?.['who'], action, ...details };
    return [{ ...line, changes: describeChanges(line) }];
  };
  try {
    for await (const page of pages) {
      const shown: Row[] = [];
      for (const row of page.rows) {
        if (String(row['action']).endsWith('.exported') && own.includes(Object(row['actor']).id)) {
          hidden += 1;
          continue;
        }
        if (run === undefined || !isSameEdit(run.last, row)) {
          shown.push(...endRun());
          run = { rows: [], count: 0, fields: new Set(), last: row };
        }
        run.count += 1;
        run.last = row;
        if (run.count < fewestCollapsed) run.rows.push(row);
        for (const { field, before } of listChanges(row)) if (before !== undefined) run.fields.add(field);
      }
      yield { rows: shown };
    }
    yield { rows: endRun() };
  } finally {
    if (collapsed > 0) say('A bulk edit is one line; -f csv lists every entry.');
    if (hidden > 0) say(`${countOf(hidden, 'reads')} of your own not shown; --reads shows them.`);
  }
}

function isSameEdit(one: Row, other: Row): boolean {
  const toKey = ({ action, actor, via }: Row) => JSON.stringify([action, actor, via]);
  const toMs = ({ created_at }: Row) => Date.parse(String(created_at));
  const isClose = Math.abs(toMs(one) - toMs(other)) <= maxApartMs;
  return isClose && collapsible.test(String(one['action'])) && toKey(one) === toKey(other);
}
