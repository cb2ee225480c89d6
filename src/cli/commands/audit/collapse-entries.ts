import type { Row } from '../../../bulk/export/write-pages.ts';
import { describeChanges, listChanges } from '../../../contract/describe-audit.ts';
import { countOf } from '../../../contract/numbers.ts';
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
  const collapser = new EntryCollapser(own);
  try {
    for await (const page of pages) {
      for (const row of page.rows) collapser.add(row);
      yield { rows: collapser.takeShown() };
    }
    collapser.end();
    yield { rows: collapser.takeShown() };
  } finally {
    for (const note of collapser.notes()) say(note);
  }
}

class EntryCollapser {
  /** The IDs whose reads are hidden. */
  readonly #own: readonly unknown[];
  #shown: Row[] = [];
  #run: Run | undefined;
  /** An erasure that is left out if a deletion before or after it explains it. */
  #erasure: Row | undefined;
  #hidden = 0;
  #collapsed = 0;
  #folded = 0;

  constructor(own: readonly unknown[]) {
    this.#own = own;
  }

  add(row: Row): void {
    this.#settleErasure(row);
    const action = String(row['action']);
    if (action.endsWith('.exported') && this.#own.includes(Object(row['actor']).id)) this.#hidden += 1;
    else if (action === 'audit_values.erased') this.#erasure = row;
    else this.#addToRun(row);
  }

  end(): void {
    this.#settleErasure();
    this.#endRun();
  }

  /** The rows that are complete since the last call. */
  takeShown(): readonly Row[] {
    const shown = this.#shown;
    this.#shown = [];
    return shown;
  }

  /** What is not shown, and how to see it. */
  *notes(): Iterable<string> {
    if (this.#collapsed > 0) {
      yield 'Changes of one kind in quick succession are one line; -f csv lists every entry.';
    }
    if (this.#folded > 0) {
      yield `${countOf(this.#folded, 'erasures')} with a deletion not shown; -f csv lists them.`;
    }
    if (this.#hidden > 0) {
      yield `${countOf(this.#hidden, 'reads')} of your own not shown; --reads shows them.`;
    }
  }

  #settleErasure(next?: Row): void {
    const erasure = this.#erasure;
    this.#erasure = undefined;
    if (erasure === undefined) return;
    const isPart = [this.#run?.last, next].some(
      (row) => row?.['action'] === 'client.deleted' && row['record_id'] === erasure['record_id'],
    );
    if (isPart) this.#folded += 1;
    else this.#addToRun(erasure);
  }

  #addToRun(row: Row): void {
    if (this.#run === undefined || !isSameEdit(this.#run.last, row)) this.#endRun();
    this.#run ??= new Run(row);
    this.#run.add(row);
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run === undefined) return;
    if (run.isLong) this.#collapsed += 1;
    this.#shown.push(...(run.isLong ? [run.toLine()] : run.rows));
  }
}

/** Changes of one kind that follow one another closely. */
class Run {
  /** Of many only the first are kept. */
  readonly rows: Row[] = [];
  last: Row;
  readonly #ids = new Set<unknown>();
  readonly #fields = new Set<string>();
  #count = 0;

  constructor(first: Row) {
    this.last = first;
  }

  add(row: Row): void {
    this.#count += 1;
    this.last = row;
    this.#ids.add(row['record_id']);
    if (!this.isLong) this.rows.push(row);
    for (const { field, before } of listChanges(row)) if (before !== undefined) this.#fields.add(field);
  }

  get isLong(): boolean {
    return this.#count >= minCollapsed;
  }

  toLine(): Row {
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

function isSameEdit(one: Row, other: Row): boolean {
  const toKey = ({ action, actor, via }: Row) => JSON.stringify([action, actor, via]);
  const toMs = ({ created_at }: Row) => Date.parse(String(created_at));
  const isClose = Math.abs(toMs(one) - toMs(other)) <= maxApartMs;
  return isClose && collapsible.test(String(one['action'])) && toKey(one) === toKey(other);
}
