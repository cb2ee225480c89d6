import type { Row } from '../../../bulk/export/write-pages.ts';
import { listChanges } from '../../../contract/describe-audit.ts';
import { countOf } from '../../../contract/numbers.ts';
import type { RecordPage } from '../../output/command-result.ts';

/** Equal changes that follow one another so closely are one bulk edit. */
const maxApartMs = 10_000;
const fewestCollapsed = 5;
const collapsible =
  /^(client|appointment|payment|stylist)\.(created|updated|deleted|cancelled|confirmed|rescheduled|completed|refunded)$/;

interface Reading {
  /** IDs of the reader, whose own reads are left out. */
  readonly own: readonly unknown[];
  readonly say: (text: string) => void;
}

/** Equal changes one after another, with what a line needs. */
interface Run {
  readonly first: Row;
  last: Row;
  count: number;
  /** Shown one by one if there are no more. */
  readonly rows: Row[];
  readonly fields: Set<string>;
}

/** Entries as people read them: without their own reads, and a line for each bulk edit. */
export async function* toEntriesForPeople(
  pages: AsyncIterable<RecordPage>,
  { own, say }: Reading,
): AsyncGenerator<RecordPage> {
  let [hidden, collapsed] = [0, 0];
  let run: Run | undefined;
  const end = (ended: Run | undefined): readonly Row[] => {
    if (ended === undefined || ended.count < fewestCollapsed) return ended?.rows ?? [];
    collapsed += 1;
    return [toLine(ended)];
  };
  try {
    for await (const page of pages) {
      const rows: Row[] = [];
      for (const row of page.rows) {
        if (/\.exported$/.test(String(row['action'])) && own.includes(Object(row['actor']).id)) {
          hidden += 1;
          continue;
        }
        if (run === undefined || !isSameEdit(run.last, row)) {
          rows.push(...end(run));
          run = { first: row, last: row, count: 0, rows: [], fields: new Set() };
        }
        run.count += 1;
        run.last = row;
        if (run.count < fewestCollapsed) run.rows.push(row);
        for (const { field, before } of listChanges(row)) if (before !== undefined) run.fields.add(field);
      }
      yield { rows };
    }
    yield { rows: end(run) };
  } finally {
    if (collapsed > 0) say('A bulk edit is one line; -f csv lists every entry.');
    if (hidden > 0) say(`${countOf(hidden, 'reads')} of your own not shown; --reads shows them.`);
  }
}

function isSameEdit(one: Row, other: Row): boolean {
  const toText = ({ action, actor, via }: Row) => JSON.stringify([action, actor, via]);
  const times = [one, other].map((row) => Date.parse(String(row['created_at'])));
  const apartMs = Math.abs((times[0] ?? 0) - (times[1] ?? 0));
  return collapsible.test(String(one['action'])) && apartMs <= maxApartMs && toText(one) === toText(other);
}

/** `Updated 120 clients` */
function toLine({ first, count, fields }: Run): Row {
  const [, resource = '', verb = ''] = collapsible.exec(String(first['action'])) ?? [];
  const action = `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)} ${countOf(count, `${resource}s`)}`;
  const { created_at, who } = first;
  return { created_at, who, action, details: { fields: [...fields] } };
}
