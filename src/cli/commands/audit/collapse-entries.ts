import type { Fields } from '../../../client/json-object.ts';
import { describeChanges, listChanges } from '../../../contract/describe-audit.ts';
import { countOf } from '../../../text/numbers.ts';
import type { RecordPage } from '../../output/command-result.ts';

/** This many changes of one kind that follow one another so closely are one line, with the first names. */
const maxApartMs = 10_000;
const minCollapsed = 5;
const namedRecords = 3;
const collapsible =
  /^(client|appointment|payment|stylist)\.(created|updated|deleted|cancelled|confirmed|rescheduled|completed|refunded)$/;

/** Entries as people read them: without the reads of `own`, who is asking, and with a line for changes of one kind. */
export async function* toEntriesForPeople(
  pages: AsyncIterable<RecordPage>,
  { own, say }: { readonly own: readonly unknown[]; readonly say: (text: string) => void },
): AsyncGenerator<RecordPage> {
  const counts = { hidden: 0, collapsed: 0, folded: 0 };
  let run = new Run();
  /** An erasure that is left out if a deletion before or after it explains it. */
  let erasure: Fields | undefined;
  try {
    for await (const page of pages) yield { rows: page.rows.flatMap(add) };
    yield { rows: [...settleErasure(), ...endRun()] };
  } finally {
    if (counts.collapsed > 0) {
      say('Changes of one kind in quick succession are one line; -f csv lists every entry.');
    }
    if (counts.folded > 0) {
      say(`${countOf(counts.folded, 'erasures')} with a deletion not shown; -f csv lists them.`);
    }
    if (counts.hidden > 0) {
      say(`${countOf(counts.hidden, 'reads')} of your own not shown; --reads shows them.`);
    }
  }

  // Each returns the rows that are complete then.
  function add(row: Fields): readonly Fields[] {
    const settled = settleErasure(row);
    const action = String(row['action']);
    if (action.endsWith('.exported') && own.includes(Object(row['actor']).id)) counts.hidden += 1;
    else if (action === 'audit_values.erased') erasure = row;
    else return [...settled, ...addToRun(row)];
    return settled;
  }

  function settleErasure(next?: Fields): readonly Fields[] {
    const settled = erasure;
    erasure = undefined;
    if (settled === undefined) return [];
    const isPart = [run.last, next].some(
      (row) => row?.['action'] === 'client.deleted' && row['record_id'] === settled['record_id'],
    );
    if (!isPart) return addToRun(settled);
    counts.folded += 1;
    return [];
  }

  function addToRun(row: Fields): readonly Fields[] {
    const ended = run.last !== undefined && isSameEdit(run.last, row) ? [] : endRun();
    run.add(row);
    return ended;
  }

  function endRun(): readonly Fields[] {
    const ended = run;
    run = new Run();
    if (!ended.isLong) return ended.rows;
    counts.collapsed += 1;
    return [ended.toLine()];
  }
}

/** Changes of one kind that follow one another closely. */
class Run {
  /** Of many only the first are kept. */
  readonly rows: Fields[] = [];
  last: Fields | undefined;
  readonly #ids = new Set<unknown>();
  readonly #fields = new Set<string>();
  #count = 0;

  add(row: Fields): void {
    this.#count += 1;
    this.last = row;
    this.#ids.add(row['record_id']);
    if (!this.isLong) this.rows.push(row);
    for (const { field, before } of listChanges(row)) if (before !== undefined) this.#fields.add(field);
  }

  get isLong(): boolean {
    return this.#count >= minCollapsed;
  }

  toLine(): Fields {
    const { created_at, who, action: first } = this.rows[0] ?? {};
    const [, resource = '', verb = ''] = collapsible.exec(String(first)) ?? [];
    const count = this.#ids.size;
    const action = `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)} ${countOf(count, `${resource}s`)}`;
    const names = [...new Set(this.rows.map(({ record }) => record))].slice(0, namedRecords);
    const more = count > names.length ? ` and ${count - names.length} more` : '';
    const details = this.#fields.size > 0 && { details: { fields: [...this.#fields] } };
    const line = { created_at, who, action, record: `${names.join(', ')}${more}`, ...details };
    return { ...line, changes: describeChanges(line) };
  }
}

function isSameEdit(one: Fields, other: Fields): boolean {
  const toKey = ({ action, actor, via }: Fields) => JSON.stringify([action, actor, via]);
  const toMs = ({ created_at }: Fields) => Date.parse(String(created_at));
  const isClose = Math.abs(toMs(one) - toMs(other)) <= maxApartMs;
  return isClose && collapsible.test(String(one['action'])) && toKey(one) === toKey(other);
}
