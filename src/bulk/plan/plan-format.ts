import type { Fields } from '../../client/json-object.ts';
import type { SalonErrorCode } from '../../contract/errors.ts';
import { parseInstant } from '../../time/time.ts';
import type { EditOperation } from '../input/edit-fields.ts';
import type { RowProblem, SheetForm } from '../sheet/sheet-form.ts';

/** What a plan states before its rows. */
export interface PlanHead {
  /** RFC 3339. */
  readonly createdAt: string;
  readonly edit: EditOperation;
  readonly source: SheetSource;
  readonly account: AccountIdentity;
  /** The time zone that local times were read in; undefined where there are none. */
  readonly timeZone?: string | undefined;
  /** Records in the list when it was read; null if the server did not say. */
  readonly records: number | null;
}

/** The sheet that a plan was made from, or the selection of its records. */
export interface SheetSource {
  /** A file name, `standard input`, or what selects the records, such as `--tag vip`. */
  readonly name: string;
  /** Whether it is a selection of records. Their rows are on no line of a sheet. */
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

/** The ID of the job that a plan undoes; undefined for the plan of a sheet. */
export function findUndoneJob({ source }: PlanHead): string | undefined {
  return /^job (\d{8}-\d{6}-[0-9a-f]{6})$/.exec(source.name)?.[1];
}

/** What will happen to one row of a sheet. */
export interface PlannedRow {
  /** Number of the row, from 1. */
  readonly row: number;
  /** Line of the sheet it starts on, from 1; the number of the row of a selection. */
  readonly line: number;
  readonly act: 'create' | 'update' | 'delete' | 'none' | 'refused';
  /** The record; null for a new one, and if none was found. */
  readonly id: string | null;
  /** New values of an update's fields, or the body of a new record. */
  readonly change?: Fields | undefined;
  /** The record that was read, for updates and deletes, and for some refused rows. */
  readonly before?: Fields | undefined;
  /** Fields that selected the record: the row is skipped if one of them has changed. */
  readonly watched?: readonly string[] | undefined;
  /** The record as read again before applying, on servers that read no single records; null if it is gone. */
  readonly current?: Fields | null;
  /** The row as read, except for `none`: what `failed.csv` contains. */
  readonly cells?: Fields | undefined;
  /** The record has changed since the sheet was exported, judging by the sheet's `updated_at`. */
  readonly isOverwriting?: true | undefined;
  /** Fields that a spreadsheet program has damaged in the sheet, and that are read as their current values. */
  readonly repairs?: readonly string[] | undefined;
  /** Of an import: fields that have another value in the file, which is not taken. */
  readonly kept?: readonly string[] | undefined;
  /** With `none`: whether the row shows the start as a local time. */
  readonly keepsStart?: true | undefined;
  /** Names of the people whom the sheet named instead of an ID, by field of `change`. */
  readonly people?: Readonly<Record<string, string>>;
  /** Of a new client: who that is already. With `none` the row is left out for it. */
  readonly existing?: ExistingPerson;
  /** Upcoming appointments, where known, that are lost with a client. */
  readonly upcoming?: number | undefined;
  readonly refusal?: Refusal | undefined;
}

/** A client, or an earlier row, who is meant or like a row. */
export interface ExistingPerson {
  readonly same:
    | 'ID'
    | 'external ID'
    | 'name'
    | 'name and birthday'
    | `${'email' | 'phone'}${'' | ' and name'}`
    | 'client, stylist and start';
  /** Null for an earlier row. */
  readonly id: string | null;
  /** `Ana Costa (ana@costa.example, cli_…)`, with others who fit; null for an earlier row. */
  readonly who: string | null;
  /** Of the earlier row; null for a client. */
  readonly line: number | null;
  /** What they do not share, or why it is unclear who is meant; null for certainly one person. */
  readonly differs:
    | 'name'
    | 'birthday'
    | 'phone or email'
    | 'phone and email'
    | 'unclear name'
    | 'several'
    | 'cancelled'
    | 'all else'
    | null;
}

/** `Same email and name as Ana Costa (ana@costa.example, cli_…).`, `Same phone as line 2, but not the same name.` */
export function describeExisting({ same, who, line, differs }: ExistingPerson): string {
  const start = `Same ${same} as ${who ?? `line ${line}`}`;
  if (differs === null) return `${start}.`;
  if (differs === 'several') return `${start}: more than one client fits.`;
  if (differs === 'all else') return `${start}, and nothing else tells who it is.`;
  if (differs === 'cancelled') return `${start}, which was cancelled.`;
  return `${start}, but ${differs === 'unclear name' ? 'the name does not tell who it is' : `not the same ${differs}`}.`;
}

/** Why a row cannot be applied. */
export interface Refusal {
  /** Codes of the service, too, where it checked the row; `unsure` is a row of an import that likely means a record. */
  readonly code:
    | RowProblem['code']
    | 'changed_since'
    | 'lost_letters'
    | 'unclear'
    | 'unsure'
    | SalonErrorCode;
  readonly reason: string;
}

export interface PlanCounts {
  readonly rows: number;
  readonly create: number;
  readonly update: number;
  readonly delete: number;
  readonly none: number;
  readonly refused: number;
  /** Fields that would be cleared, and the rows with such fields. */
  readonly clears: number;
  readonly clearedRows: number;
  /** Updates of records that have changed since the sheet was exported. */
  readonly overwrites: number;
  /** Number of changes by field. */
  readonly fields: Readonly<Record<string, number>>;
  /** Number of damaged cells that are read as the current value, by field. Plans of earlier versions have none. */
  readonly repairs?: Readonly<Record<string, number>>;
  /** Number of values that an import does not take, because the record has another, by field. */
  readonly kept?: Readonly<Record<string, number>>;
  /** New clients who exist already, and rows left out because they do. Of both, `repeated` have an earlier row. */
  readonly existing?: number;
  readonly skipped?: number;
  readonly repeated?: number;
  /** Of `existing`, those who may be others. */
  readonly alike?: number;
  /** Of `refused`, rows of an import that are likely but not certain to mean a record. */
  readonly unsure?: number;
}

/** `restores`: blank values come back with an undo, and clear nothing. */
export function createPlanCounter({ restores = false } = {}) {
  const counts = {
    ...{ rows: 0, create: 0, update: 0, delete: 0, none: 0, refused: 0 },
    ...{
      clears: 0,
      clearedRows: 0,
      overwrites: 0,
      existing: 0,
      skipped: 0,
      repeated: 0,
      alike: 0,
    },
  };
  let unsure = 0;
  const [fields, repairs, kept] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  const countEach = (names: readonly string[], times: Map<string, number>) => {
    for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  };
  return {
    add(row: PlannedRow) {
      counts.rows += 1;
      counts[row.act] += 1;
      countEach(row.repairs ?? [], repairs);
      countEach(row.kept ?? [], kept);
      if (row.refusal?.code === 'unsure') unsure += 1;
      if (row.existing !== undefined) counts[row.act === 'none' ? 'skipped' : 'existing'] += 1;
      if (row.existing?.differs) counts.alike += 1;
      else if (row.existing?.who === null) counts.repeated += 1;
      if (row.act !== 'update') return;
      const changed = Object.keys(row.change ?? {});
      countEach(changed, fields);
      const isCleared = (field: string) =>
        isShownBlank(row.change?.[field]) && !isShownBlank(row.before?.[field]);
      const cleared = restores ? 0 : changed.filter(isCleared).length;
      counts.clears += cleared;
      if (cleared > 0) counts.clearedRows += 1;
      if (row.isOverwriting) counts.overwrites += 1;
    },
    counts: () => ({
      ...counts,
      ...(unsure === 0 ? {} : { unsure }),
      fields: Object.fromEntries(fields),
      ...(repairs.size === 0 ? {} : { repairs: Object.fromEntries(repairs) }),
      ...(kept.size === 0 ? {} : { kept: Object.fromEntries(kept) }),
    }),
  };
}

/** Whether a row sends a request. */
export function isSent({ act }: PlannedRow): boolean {
  return act !== 'none' && act !== 'refused';
}

/** Number of rows that would change something. */
export function countChanges({ create, update, delete: deleted }: PlanCounts): number {
  return create + update + deleted;
}

/** Whether a value shows as blank. */
export function isShownBlank(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** Whether a cell is a time without an offset from UTC. */
export function isLocalTime(cell: unknown): boolean {
  return !isShownBlank(cell) && parseInstant(String(cell).trim()) === undefined;
}
