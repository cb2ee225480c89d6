import { isFields } from '../../client/fields.ts';
import { parseJson } from '../../contract/json.ts';
import type { EditOperation } from '../input/edit-fields.ts';
import type { SheetForm } from '../sheet/sheet-form.ts';
import type { PlanCounts, PlannedRow } from './planned-row.ts';

/** What a plan states before its rows. */
export interface PlanHead {
  /** RFC 3339. */
  readonly createdAt: string;
  readonly edit: EditOperation;
  readonly source: SheetSource;
  readonly account: AccountIdentity;
  /** Records in the list when it was read; null if the server did not say. */
  readonly records: number | null;
}

/** What a plan states after its rows. */
export interface PlanEnd {
  readonly counts: PlanCounts;
  /** Why the list that its records were selected from may be incomplete. */
  readonly doubt?: string | undefined;
}

/** The sheet that a plan was made from, or the condition that selected its records. */
export interface SheetSource {
  /** A file name, `standard input`, or a condition. */
  readonly name: string;
  /** Whether a condition selected the records. Their rows are on no line of a sheet. */
  readonly isCondition?: true;
  readonly sha256: string;
  readonly form: SheetForm;
}

/** The account a plan belongs to: it cannot be applied to another. */
export interface AccountIdentity {
  readonly origin: string;
  /** Null if the server does not tell accounts apart. */
  readonly account: string | null;
}

/*
 * A plan is one JSON document, written so that it can be read line by line:
 *
 *   {"salon_plan":1, … ,"rows":[
 *   {"row":1, … },
 *   {"row":2, … }
 *   ],"counts":{ … },"sha256":"…"}
 *
 * The digest covers every byte before `,"sha256"`.
 */

const version = 1;

/** The first characters of a plan: of any version, and of this one. */
export const planPrefix = { any: '{"salon_plan":', current: `{"salon_plan":${version},` };

export function renderHead({ createdAt, edit, source, account, records }: PlanHead): string {
  const head: WrittenHead = { salon_plan: version, created_at: createdAt, edit, source, ...account, records };
  return `${JSON.stringify(head).slice(0, -1)},"rows":[`;
}

export function renderRow(row: PlannedRow, { isFirst }: { readonly isFirst: boolean }): string {
  return `${isFirst ? '' : ','}\n${JSON.stringify(row)}`;
}

export function renderEnd({ counts, doubt }: PlanEnd): string {
  return `\n],${JSON.stringify({ counts, doubt }).slice(1, -1)}`;
}

export function renderDigest(sha256: string): string {
  return `,"sha256":"${sha256}"}\n`;
}

/** Splits the last line of a plan into what its digest covers and the digest. */
export function splitLastLine(line: string): readonly [covered: string, digest: string] | undefined {
  const at = line.lastIndexOf(',"sha256":"');
  return line.startsWith('],"counts":{') && at > 0 ? [line.slice(0, at), line.slice(at)] : undefined;
}

/** Parses the first line of a plan whose digest is right. */
export function parseHead(line: string): PlanHead {
  const written: WrittenHead = JSON.parse(`${line}]}`);
  const { created_at: createdAt, edit, source, origin, account, records } = written;
  return { createdAt, edit, source, account: { origin, account }, records };
}

/** Undefined for a line that is not a row. */
export function parseRow(line: string): PlannedRow | undefined {
  try {
    const row = parseJson(line.replace(/,?\n$/, ''));
    return isFields(row) ? (row as unknown as PlannedRow) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a line follows the last row. */
export function isLastLine(line: string): boolean {
  return line.startsWith(']');
}

/** Parses the part of the last line that the digest covers. */
export function parseEnd(covered: string): PlanEnd {
  return JSON.parse(`{"rows":[${covered}}`);
}

/** The ID of the job that a plan undoes; undefined for the plan of a sheet. */
export function findUndoneJob({ source }: PlanHead): string | undefined {
  return /^job (\d{8}-\d{6}-[0-9a-f]{6})$/.exec(source.name)?.[1];
}

interface WrittenHead extends AccountIdentity {
  readonly salon_plan: typeof version;
  readonly created_at: string;
  readonly edit: EditOperation;
  readonly source: SheetSource;
  readonly records: number | null;
}
