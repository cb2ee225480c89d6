import type { AccountIdentity, EditOperation, SheetSource } from '../input/edit-fields.ts';
import type { PlanCounts, PlannedRow } from './planned-row.ts';

/** What a plan says of itself before its rows. */
export interface PlanHead {
  /** An instant. */
  readonly createdAt: string;
  readonly edit: EditOperation;
  readonly source: SheetSource;
  readonly account: AccountIdentity;
  /** Records in the list when it was read; null where nobody told. */
  readonly records: number | null;
}

/*
 * A plan is one JSON document, written so that it can be read line by line:
 *
 *   {"salon_plan":1, … ,"rows":[
 *   {"row":1, … },
 *   {"row":2, … }
 *   ],"counts":{ … },"sha256":"…"}
 *
 * The digest is that of every byte in front of `,"sha256"`.
 */

const version = 1;

/** How every plan begins, of whatever version, and those of this one. */
export const beginning = { every: '{"salon_plan":', own: `{"salon_plan":${version},` };

export function renderHead({ createdAt, edit, source, account, records }: PlanHead): string {
  const head: WrittenHead = { salon_plan: version, created_at: createdAt, edit, source, ...account, records };
  return `${JSON.stringify(head).slice(0, -1)},"rows":[`;
}

export function renderRow(row: PlannedRow, { isFirst }: { readonly isFirst: boolean }): string {
  return `${isFirst ? '' : ','}\n${JSON.stringify(row)}`;
}

export function renderCounts(counts: PlanCounts): string {
  return `\n],"counts":${JSON.stringify(counts)}`;
}

export function renderSeal(sha256: string): string {
  return `,"sha256":"${sha256}"}\n`;
}

/** The last line of a plan in two: what its digest covers, and the digest as it was written. */
export function splitSeal(line: string): readonly [covered: string, seal: string] | undefined {
  const at = line.lastIndexOf(',"sha256":"');
  return line.startsWith('],"counts":{') && at > 0 ? [line.slice(0, at), line.slice(at)] : undefined;
}

/** The head in the first line of a plan whose digest is right. */
export function parseHead(line: string): PlanHead {
  const written: WrittenHead = JSON.parse(`${line}]}`);
  const { created_at: createdAt, edit, source, origin, account, records } = written;
  return { createdAt, edit, source, account: { origin, account }, records };
}

/** The row in a line of a plan; undefined where that holds none. */
export function parseRow(line: string): PlannedRow | undefined {
  try {
    return JSON.parse(line.replace(/,?\n$/, ''));
  } catch {
    return undefined;
  }
}

/** Whether a line follows the last row. */
export function isLastLine(line: string): boolean {
  return line.startsWith(']');
}

/** The counts in what the digest covers of the last line. */
export function parseCounts(covered: string): PlanCounts {
  return JSON.parse(`{"rows":[${covered}}`).counts;
}

interface WrittenHead extends AccountIdentity {
  readonly salon_plan: typeof version;
  readonly created_at: string;
  readonly edit: EditOperation;
  readonly source: SheetSource;
  readonly records: number | null;
}
