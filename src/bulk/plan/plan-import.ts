import { rename, rm } from 'node:fs/promises';
import type { Fields } from '../../client/json-object.ts';
import { toNameKey } from '../../text/search-text.ts';
import { isSameBirthday } from '../../time/birthdays.ts';
import type { CellRules } from '../input/cell-values.ts';
import type { EditOperation } from '../input/edit-fields.ts';
import type { KnownRecord } from './existing-people.ts';
import { type Plan, toPlan, writePlan } from './plan-file.ts';
import { describeExisting, type ExistingPerson, isShownBlank, type PlannedRow } from './plan-format.ts';
import { findLostLetters, findUnclear, toDifference } from './plan-row.ts';

export interface ImportReading {
  /** Of an import: whether rows that are likely but not certain to mean a record are taken as likely. */
  readonly takesLikely?: boolean | undefined;
  /** Called with the plan without these rows, if there are any; resolves with whether to take them. */
  readonly confirmLikely?: ((plan: Plan) => Promise<boolean>) | undefined;
}

interface ImportPlanning extends ImportReading {
  readonly rules: CellRules;
  /** The record, or the earlier row, that a row means or is like. */
  readonly find: (planned: PlannedRow) => KnownRecord | undefined;
  /** Puts IDs in place of names. */
  readonly resolve: (planned: PlannedRow) => PlannedRow;
  readonly edit: EditOperation;
}

/** Writes the plan of an import over that of its rows as new records, and asks whether to take what is only likely. */
export async function writeImport(plan: Plan, planning: ImportPlanning): Promise<Plan> {
  const { takesLikely = false, confirmLikely } = planning;
  const draft = `${plan.path}.import`;
  const sure = await writePlan(draft, plan.head, planRows(takesLikely));
  const isUnsure = !takesLikely && (sure.counts.unsure ?? 0) > 0;
  if (!isUnsure || !(await confirmLikely?.(sure))) {
    await rename(draft, plan.path);
    return toPlan(plan.path, sure);
  }
  await rm(draft);
  return await writePlan(plan.path, plan.head, planRows(true));

  async function* planRows(isTaken: boolean): AsyncGenerator<PlannedRow> {
    const toImported = createImportPlanner({ ...planning, takesLikely: isTaken });
    for await (const row of plan.rows()) yield toImported(planning.resolve(row));
  }
}

/** Plans rows in their order: who is new is added, who is known is completed. */
function createImportPlanner({ rules, find, resolve, edit, takesLikely = false }: ImportPlanning) {
  const overwrites = edit.overwrites === true;
  const lineOf = new Map<string, number>();

  return (planned: PlannedRow): PlannedRow => {
    const known = planned.act === 'create' ? find(planned) : undefined;
    if (known === undefined) return planned;
    const { existing, record } = known;
    const { row, line } = planned;
    const { id, differs } = existing;
    if (id === null || record === undefined) {
      const isName = ([field, value]: [string, unknown]) => field.endsWith('_name') || isShownBlank(value);
      const isSame =
        differs === 'all else' && (takesLikely || Object.entries(planned.change ?? {}).every(isName));
      if (differs === null || isSame) return { row, line, act: 'none', id, existing };
      return differs === 'all else' ? unsure(planned, existing) : { ...planned, existing };
    }
    if (differs === 'name' || differs === 'phone and email') return { ...planned, existing };
    const completed = complete(planned, { id, record });
    const isOther = differs === 'birthday' || differs === 'cancelled';
    const isUnsure = differs !== null && (differs === 'several' || !takesLikely);
    // Whatever it means, nothing is missing.
    const isSaid = ([field]: [string, unknown]) => differs !== 'all else' || !field.endsWith('_name');
    if (isUnsure && (isOther || differenceOf(planned, record).some(isSaid))) return unsure(planned, existing);
    return isOther ? { ...planned, existing } : keep(completed, id, line, existing);
  };

  function unsure({ row, line, cells }: PlannedRow, existing: ExistingPerson): PlannedRow {
    const code = existing.differs === 'several' ? 'ambiguous' : 'unsure';
    const refusal = { code, reason: describeExisting(existing) } as const;
    return { row, line, act: 'refused', id: existing.id, cells, refusal };
  }

  /** Of several rows for one record, the first counts. */
  function keep(
    planned: PlannedRow,
    id: string,
    line: number,
    existing: KnownRecord['existing'],
  ): PlannedRow {
    const first = lineOf.get(id);
    if (planned.act !== 'update') return planned;
    lineOf.set(id, first ?? line);
    if (first === undefined) return planned;
    const earlier = { same: existing.same, id: null, who: null, line: first, differs: null };
    return { row: planned.row, line, act: 'none', id, existing: earlier };
  }

  function complete(planned: PlannedRow, { id, record }: { id: string; record: Fields }): PlannedRow {
    const { row, line, cells } = planned;
    const difference = differenceOf(planned, record);
    const isWanted = ([field, value]: [string, unknown]) => overwrites || isMissing(field, value, record);
    const wanted = difference.filter(isWanted);
    // Names that fit may have more or fewer words.
    const others = difference.filter((one) => !isWanted(one) && !one[0].endsWith('_name'));
    const kept = others.length === 0 ? undefined : others.map(([field]) => field);
    const change = withoutOtherNames(Object.fromEntries(wanted), planned.change ?? {}, record);
    if (Object.keys(change).length === 0) return { row, line, act: 'none', id, kept };
    const refusal = findUnclear(change) ?? findLostLetters(change, record);
    if (refusal !== undefined) return { row, line, act: 'refused', id, cells, refusal };
    return resolve({ row, line, act: 'update', id, change, before: record, cells, kept });
  }

  /** What a row says otherwise than a record, or more. A blank cell says nothing. */
  function differenceOf({ cells = {} }: PlannedRow, record: Fields): [string, unknown][] {
    const { id: _id, ...values } = cells;
    const difference = toDifference(rules.toFields(values, record), record) ?? {};
    return Object.entries(difference).filter(([, value]) => !isShownBlank(value));
  }

  /** Names are filled in only where that gives the name of the row: it may be split in another way. */
  function withoutOtherNames(change: Fields, row: Fields, record: Fields): Fields {
    const nameOf = ({ first_name: first, last_name: last }: Fields) =>
      toNameKey([first, last].filter((name) => typeof name === 'string').join(' '));
    if (overwrites || nameOf({ ...record, ...change }) === nameOf(row)) return change;
    const { first_name: _first, last_name: _last, ...others } = change;
    return others;
  }
}

function isMissing(field: string, value: unknown, record: Fields): boolean {
  const current = record[field];
  if (isShownBlank(current)) return true;
  return (
    field === 'birthday' && String(current).startsWith('--') && isSameBirthday(String(current), String(value))
  );
}
