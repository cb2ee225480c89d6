import type { Fields } from '../../client/json-object.ts';
import type { Collections } from '../../client/resources/collections.ts';
import type { Tagged, Written } from '../../client/resources/response-record.ts';
import { SalonError, type Violation, withContext } from '../../contract/errors.ts';
import { closest } from '../../text/closest.ts';
import { isSameJson } from '../../text/json.ts';
import { parseInstant } from '../../time/time.ts';
import type { FieldValues } from '../flags/fields.ts';
import type { ChangeFlags, PrintFlags, WriteFlags } from '../flags/options.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { type Noun, nouns } from '../nouns/nouns.ts';
import { columnSet } from '../output/columns.ts';
import { type CommandResult, onePage, toWriteResult } from '../output/command-result.ts';
import { readLayout } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';

/** The kinds of records that `changeRecord` changes. */
type Changeable = 'appointments' | 'clients' | 'services' | 'stylists' | 'waitlist' | 'webhooks';

export interface RecordChange {
  readonly noun: Changeable;
  readonly id: string;
  readonly change: FieldValues;
  /** The record that the change was made from; any other state of it is not changed. */
  readonly seen?: Tagged<object>;
  /** Names the record better than its noun does. */
  readonly describe?: Describe;
  /** What happened, if `describe` says all of it; if left out, "Updated" with old and new values, or "Added client". */
  readonly done?: string;
}

/** Names a record that was written. The server may have sent any part of it. */
export type Describe = (record: FieldValues, context: CommandContext) => string | Promise<string>;

/** Creates one record; with --dry-run shows its fields once the server has checked them. */
export async function createRecord(
  context: CommandContext<WriteFlags & PrintFlags>,
  name: Exclude<Changeable, 'webhooks'> | 'payments',
  fields: FieldValues,
  creation: Pick<RecordChange, 'done' | 'describe'> = {},
): Promise<CommandResult> {
  const noun: Noun = nouns[name];
  const { columns, fields: known = [] } = noun;
  const { done = `Added ${noun.one}`, describe = noun.describe } = creation;
  await context.localTimes.confirm(fields);
  const create = (client: Collections): Promise<Written<object>> =>
    explainUnknownFields<Written<object>>(client[name].create(fields), known);
  if (context.flags.dryRun) {
    context.messages.info(await context.checkDryRun(create));
    const given = (await readLayout(context)) === 'table' ? columns : { ...columns, all: [], table: [] };
    return { show: 'record', record: fields, columns: given };
  }
  const written = await create(await context.client());
  const subject = await toSubject(written, context, describe);
  // The ID of a new record says which one it is among people of one name.
  const { id = '' } = written;
  const named = subject === undefined || subject.includes(id) ? subject : `${subject} (${id})`;
  return toWriteResult(written, { done, columns, subject: named });
}

async function toSubject(
  { outcome, record }: Written<object>,
  context: CommandContext,
  describe?: Describe,
): Promise<string | undefined> {
  if (outcome === 'accepted' || record === undefined || describe === undefined) return undefined;
  return (await describe({ ...record }, context)) || undefined;
}

/** Changes one record, or previews the change with --dry-run. Throws `usage` for an empty change. */
export async function changeRecord(
  context: CommandContext<ChangeFlags & PrintFlags>,
  recordChange: RecordChange,
): Promise<CommandResult> {
  const { id, change, seen, done } = recordChange;
  const noun: Noun = nouns[recordChange.noun];
  const { one, columns, changeFields = [], describe = noun.describe } = { ...noun, ...recordChange };
  if (Object.keys(change).length === 0) {
    throw new SalonError('usage', 'Nothing to change.', {
      hint: 'Set fields with --set name=value or --data.',
    });
  }
  await context.localTimes.confirm(change);
  const partial = context.flags.partial === true;
  const options = { partial, current: seen?.record, ifMatch: seen?.etag };
  const update = (client: Collections): Promise<Written<object>> =>
    explainUnknownFields<Written<object>>(
      client[recordChange.noun].update(id, change, options),
      changeFields,
    );
  if (context.flags.dryRun) return previewChange(context, recordChange, update);
  const written = await update(await context.client());
  const subject = await toSubject(written, context, describe);
  const verb = done ?? 'Updated';
  const { renderUpdate } = await import('../people/named-rows.ts');
  // The change is made, whether or not names can be read.
  const changes = done ? '' : await renderUpdate(written, { change, columns }, context).catch(() => '');
  const shown = `${subject ?? `${one} ${id}`}${changes}`;
  const result = toWriteResult(written, { done: verb, subject: shown, columns });
  if (recordChange.noun !== 'appointments') return result;
  const { findFreed, withWaiting } = await import('../booking/waiting.ts');
  return withWaiting(result, findFreed(written.before, written.record), context);
}

/** Of the fields that a dry run shows. */
export const changeColumns = columnSet({ field: 'text', old: 'value', new: 'value' });

/** The result of a dry run: what would happen, and whether the server would accept it. */
export async function previewWrite(
  context: CommandContext,
  { would, record }: { readonly would: string; readonly record: Fields },
  write: (client: Collections) => Promise<unknown>,
): Promise<CommandResult> {
  return { show: 'record', record, message: `Would ${would}.\n${await context.checkDryRun(write)}` };
}

const ended = { delete: 'Deleted', revoke: 'Revoked' } as const;

/** Deletes or revokes one record after a question; with --dry-run says what would happen. */
export async function endRecord(
  context: CommandContext<{ readonly dryRun?: boolean }>,
  verb: keyof typeof ended,
  record: { id: string; name: string; question: string; end(client: Collections): Promise<unknown> },
): Promise<CommandResult> {
  const { id, name, question, end } = record;
  const field = ended[verb].toLowerCase();
  if (context.flags.dryRun) {
    return previewWrite(context, { would: `${verb} ${name}`, record: { id, [field]: false } }, end);
  }
  await context.confirm(question);
  await end(await context.client());
  return { show: 'record', record: { id, [field]: true }, message: `${ended[verb]} ${name}.` };
}

/** Lists the old and new value of each field that would change, once the server has checked the write. */
export async function previewChange(
  context: CommandContext<ChangeFlags & PrintFlags>,
  recordChange: RecordChange,
  write: (client: Collections) => Promise<unknown>,
): Promise<CommandResult> {
  const { flags, messages } = context;
  const { id, change } = recordChange;
  const noun: Noun = nouns[recordChange.noun];
  const { columns, changeFields = [], describe = noun.describe } = { ...noun, ...recordChange };
  const client = await context.client();
  const current: FieldValues = { ...(await client[recordChange.noun].get(id)) };
  const isShown = (field: string) => columns.all.some(({ key }) => key === field);
  const rows = Object.entries(change)
    // Some members of the body, such as `cancellation_reason`, control the write, and are no fields of the record.
    .filter(([field]) => isShown(field) || !changeFields.includes(field))
    .map(([field, value]) => ({ field, old: current[field] ?? null, new: value }))
    .filter((row) => !isSame(row.old, row.new));
  const verdict = rows.length === 0 ? 'Nothing would change.' : await context.checkDryRun(write);
  const subject = rows.length === 0 ? '' : ((await describe?.(current, context)) ?? '');
  // Somebody who gave an ID need not read it again.
  const isNamed = subject !== '' && !subject.includes(id);
  messages.info(isNamed ? `Would change ${subject}.\n${verdict}` : verdict);
  const pending = flags.exitCode === true && rows.length > 0;
  const { nameChanges } = await import('../people/named-rows.ts');
  const isTable = (await readLayout(context)) === 'table';
  const shown = (isTable ? await nameChanges(rows, columns, context) : rows).map((row) => ({ ...row }));
  const { code: exitCode } = pending ? exitCodes.pending : exitCodes.done;
  return { show: 'records', noun: 'changes', columns: changeColumns, pages: onePage(shown), exitCode };
}

/** Instants are equal in any offset. */
function isSame(old: unknown, next: unknown): boolean {
  if (typeof old !== 'string' || typeof next !== 'string') return isSameJson(old, next);
  const ms = parseInstant(old)?.ms;
  return old === next || (ms !== undefined && ms === parseInstant(next)?.ms);
}

/** Awaits a write. If the service refuses an unknown field, suggests the closest known one. */
export async function explainUnknownFields<Result>(
  write: Promise<Result>,
  known: readonly string[],
): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    const isUnknown = ({ code }: Violation) => code === 'unknown_field';
    if (!(error instanceof SalonError) || !error.violations.some(isUnknown)) throw error;
    const violations = error.violations.map((violation) => {
      const name = isUnknown(violation) && closest(violation.pointer?.slice(1) ?? '', known);
      return name ? { ...violation, detail: `${violation.detail} Did you mean ${name}?` } : violation;
    });
    throw withContext(error, { violations, hint: `Fields: ${known.join(', ')}.` });
  }
}

export interface RequiredField {
  readonly field: string;
  readonly flag: string;
  readonly question: string;
  /** All valid answers. */
  readonly choices?: readonly string[];
  readonly suggestion?: string | undefined;
  /** Returns what is wrong with an answer, given the earlier ones. */
  readonly validate?: (answer: string, fields: FieldValues) => string | undefined;
}

/**
 * Asks for missing fields. Throws `usage` without a terminal. Leaves --data to the service, which may accept other
 * fields.
 */
export async function askForMissing(
  fields: FieldValues,
  required: readonly RequiredField[],
  { flags, prompts }: CommandContext<WriteFlags>,
): Promise<FieldValues> {
  const missing = required.filter(({ field }) => fields[field] === undefined);
  if (missing.length === 0 || flags.data !== undefined) return fields;
  if (!prompts.isInteractive) {
    throw new SalonError('usage', `Missing: ${missing.map(({ field }) => field).join(', ')}.`, {
      hint: `Add ${missing.map(({ flag }) => flag).join(', ')}, or use --data.`,
    });
  }
  return prompts.inTurn(async () => {
    let answered = fields;
    for (const { field, question, choices, suggestion, validate: check } of missing) {
      const soFar = answered;
      const validate = (answer: string) => check?.(answer, soFar);
      const answer = await (choices
        ? prompts.choose(question, choices)
        : prompts.text(question, { suggestion, validate }));
      answered = { ...answered, [field]: answer };
    }
    return answered;
  });
}
