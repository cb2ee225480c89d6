import { createHash } from 'node:crypto';
import { assertKnownNames, type Fields } from '../../client/json-object.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { type PagedList, readWhole } from '../../client/pagination/paginate.ts';
import { SalonError } from '../../contract/errors.ts';
import { didYouMean } from '../../text/closest.ts';
import {
  applyTagChanges,
  assertTagChanges,
  changesTags,
  type EditOperation,
  fieldsOf,
  findValueProblem,
  isWriteOption,
  readOnlyFieldsOf,
  type TagChanges,
} from '../input/edit-fields.ts';
import { plainCsv, type SheetForm } from '../sheet/sheet-form.ts';
import { type Plan, type PlanFolder, writePlan } from './plan-file.ts';
import type { AccountIdentity, PlannedRow, Refusal } from './plan-format.ts';
import { toDifference } from './plan-row.ts';

/** A selection of records: a list from the client, filtered or not. */
export type SelectedRecords = PagedList<object>;

/** What to do with every selected record. */
export interface RecordEdit extends TagChanges {
  /** Which records these are, such as `--tag vip`. Plans and jobs show it. */
  readonly selection: string;
  /** Whether every record may be meant: a list without a filter is refused otherwise. */
  readonly all?: boolean | undefined;
  /** The values that an update sets; null clears a field. */
  readonly set?: Fields | undefined;
  /** Further fields, of which every record gets values of its own. */
  readonly each?: ValuesOfEach | undefined;
  /** Fields that selected a record: it is skipped if one of them has changed when the plan is applied. */
  readonly watch?: readonly string[] | undefined;
  /** Whether fields that neither the contract nor the server knows may be set. */
  readonly allowNewFields?: boolean | undefined;
  /** The reason to skip a record, if any; `change` is empty for a delete. */
  readonly refuse?: ((record: Fields, change: Fields) => Promise<Refusal | undefined>) | undefined;
  readonly onProgress?: ((read: number, total: number | undefined) => void) | undefined;
}

export interface ValuesOfEach {
  readonly fields: readonly string[];
  /** The values of one record, or why it is skipped. */
  find(record: Fields): Promise<{ readonly values: Fields } | { readonly refusal: Refusal }>;
}

export interface RecordPlanning {
  readonly edit: EditOperation;
  readonly readAccount: () => Promise<AccountIdentity>;
  /** In which the caller has read local times. */
  readonly timeZone: string | undefined;
  readonly into: PlanFolder;
  readonly now: Date;
}

/**
 * Plans the same edit for every selected record, in bounded memory. Throws `usage` for values that the contract does not
 * allow, and `unexpected_response` if the list is incomplete or nothing shows that its records are those selected.
 */
export async function planRecords(
  records: SelectedRecords,
  change: RecordEdit,
  { edit, readAccount, timeZone, into, now }: RecordPlanning,
): Promise<Plan> {
  const { selection: name } = change;
  assertChange(change, edit);
  if (records.isEverything === true && change.all !== true) {
    throw new SalonError('usage', `This list has no filter: it is all ${edit.noun}.`, {
      hint: 'Filter it, or pass all: true.',
    });
  }
  const account = await readAccount();
  const sha256 = createHash('sha256').update(name).digest('hex');
  const source = { name, sha256, form: toForm(change, edit), isCondition: true } as const;
  const head = { createdAt: now.toISOString(), edit, source, account, timeZone, records: null };
  return await writePlan(into.planPath, head, planRows());

  async function* planRows(): AsyncGenerator<PlannedRow> {
    let row = 0;
    let hasTags = false;
    for await (const { rows, total } of readWhole(records, edit.noun)) {
      for (const record of rows as readonly Fields[]) {
        row += 1;
        if (row === 1) assertKnownFields(record, change, edit);
        hasTags ||= Object.hasOwn(record, 'tags');
        yield await planRow(record, { row, change, edit });
      }
      change.onProgress?.(row, total);
    }
    // A list whose filter could not be verified must not decide what is changed.
    const { unverified = [] } = records.consistency() ?? {};
    if (unverified.length > 0) {
      const message = `Nothing shows that the ${edit.noun} match ${unverified.join(' and ')}. Nothing was sent.`;
      throw new SalonError('unexpected_response', message, {
        hint: 'Select by what this server can filter by, or use a file with the records.',
        members: { verdict: 'unverified' },
      });
    }
    if (row > 0 && !hasTags && changesTags(change) && change.allowNewFields !== true) {
      throw new SalonError('not_supported', 'Clients on this server have no tags.', {
        hint: 'Use --allow-new-fields if the server accepts them anyway.',
      });
    }
  }
}

async function planRow(
  before: Fields,
  { row, change, edit }: { row: number; change: RecordEdit; edit: EditOperation },
): Promise<PlannedRow> {
  const id = keyOf(before);
  const place = { row, line: row };
  const version = Object.hasOwn(before, 'updated_at') ? { updated_at: before['updated_at'] } : {};
  const own = (await change.each?.find(before)) ?? { values: {} };
  if ('refusal' in own) {
    const cells = { id, ...change.set, ...version };
    return { ...place, act: 'refused', id, before, cells, refusal: own.refusal };
  }
  const setsTags = edit.verb === 'update' && changesTags(change);
  const tags = setsTags ? { tags: applyTagChanges(before, change) } : {};
  const wanted = { ...change.set, ...own.values, ...tags };
  const values = edit.verb === 'update' ? toDifference(wanted, before) : {};
  if (values === undefined) return { ...place, act: 'none', id };
  const cells = { id, ...values, ...version };
  const refusal = await change.refuse?.(before, values);
  if (refusal !== undefined) return { ...place, act: 'refused', id, before, cells, refusal };
  if (edit.verb !== 'update') return { ...place, act: 'delete', id, before, cells };
  const watched = (change.watch ?? []).length === 0 ? undefined : change.watch;
  return { ...place, act: 'update', id, change: values, before, cells, watched };
}

const options: readonly (keyof RecordEdit)[] = [
  ...(['selection', 'all', 'set', 'addTags', 'removeTags'] as const),
  ...(['watch', 'allowNewFields', 'refuse', 'each', 'onProgress'] as const),
];

/** Before anything is read. */
function assertChange(change: RecordEdit, { noun, verb }: EditOperation): void {
  assertKnownNames(change, options, 'option');
  const { set = {}, selection } = change;
  if (selection.trim() === '') throw new SalonError('usage', 'The selection of records needs a name.');
  if (verb !== 'update') return;
  if (changesTags(change)) {
    if (noun !== 'clients') throw new SalonError('usage', 'Only clients have tags.');
    assertTagChanges(change, set);
  }
  if (Object.keys(set).length === 0 && !changesTags(change) && change.each === undefined)
    throw new SalonError('usage', 'Nothing to change.');
  const readOnly = Object.keys(set).find((name) => readOnlyFieldsOf(noun).includes(name));
  if (readOnly !== undefined) throw new SalonError('usage', `Only the server sets ${readOnly}.`);
  for (const [name, value] of Object.entries(set)) {
    const problem = findValueProblem(value, fieldsOf(noun).get(name));
    if (problem !== undefined) throw new SalonError('usage', `Invalid ${name}. ${problem}`);
  }
}

function assertKnownFields(
  record: Fields,
  { set = {}, allowNewFields = false }: RecordEdit,
  { noun }: EditOperation,
) {
  const known = [...fieldsOf(noun).keys(), ...Object.keys(record)];
  const unknown = Object.keys(set).find((name) => !known.includes(name) && !isWriteOption(name));
  if (unknown === undefined || allowNewFields) return;
  throw new SalonError('usage', `${noun} have no field ${unknown}.${didYouMean(unknown, known)}`, {
    hint: `Use --allow-new-fields to send it anyway. Known fields: ${[...fieldsOf(noun).keys()].join(', ')}.`,
  });
}

/** The failed rows as a sheet to correct and run again. */
function toForm(change: RecordEdit, { verb }: EditOperation): SheetForm {
  const tags = changesTags(change) ? ['tags'] : [];
  const fields =
    verb === 'update' ? [...Object.keys(change.set ?? {}), ...(change.each?.fields ?? []), ...tags] : [];
  return { ...plainCsv, columns: ['id', ...fields, 'updated_at'] };
}
