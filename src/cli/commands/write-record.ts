import type { Row } from '../../bulk/export/write-pages.ts';
import type { Collections } from '../../client/resources/collections.ts';
import type { Tagged, Written } from '../../client/resources/response-record.ts';
import { appointmentChange } from '../../contract/appointment.ts';
import { clientChange } from '../../contract/client.ts';
import { SalonError, type Violation, withContext } from '../../contract/errors.ts';
import { salonServiceChange } from '../../contract/salon-service.ts';
import { stylistChange } from '../../contract/stylist.ts';
import { webhookChange } from '../../contract/webhook.ts';
import { closest } from '../../text/closest.ts';
import { isSameJson } from '../../text/json.ts';
import { parseInstant } from '../../time/time.ts';
import type { FieldValues } from '../flags/fields.ts';
import type { ChangeFlags, PrintFlags, WriteFlags } from '../flags/options.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import {
  appointmentColumns,
  type ColumnSet,
  clientColumns,
  columnSet,
  stylistColumns,
  webhookColumns,
} from '../output/columns.ts';
import { type CommandResult, onePage, toWriteResult } from '../output/command-result.ts';
import { readLayout } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';

export const serviceColumns: ColumnSet = {
  ...columnSet({
    ...{ id: 'text', name: 'text', duration: 'minutes', price: 'amount', active: 'boolean' },
    ...{ created_at: 'instant', updated_at: 'instant' },
  }),
  table: ['name', 'duration', 'price', 'active', 'id'],
  optional: ['id'],
};

const resources = {
  appointments: {
    name: 'appointment',
    columns: appointmentColumns,
    fields: Object.keys(appointmentChange.properties),
  },
  clients: { name: 'client', columns: clientColumns, fields: Object.keys(clientChange.properties) },
  services: { name: 'service', columns: serviceColumns, fields: Object.keys(salonServiceChange.properties) },
  stylists: { name: 'stylist', columns: stylistColumns, fields: Object.keys(stylistChange.properties) },
  webhooks: { name: 'webhook', columns: webhookColumns, fields: Object.keys(webhookChange.properties) },
} as const;

export interface RecordChange {
  readonly noun: keyof typeof resources;
  readonly id: string;
  readonly change: FieldValues;
  /** The record that the change was made from; any other state of it is not changed. */
  readonly seen?: Tagged<object>;
  readonly describe?: Describe;
  /** What happened, if `describe` says all of it; "Updated", with old and new values, if left out. */
  readonly done?: string;
}

interface RecordCreation {
  readonly create: (client: Collections) => Promise<Written<object>>;
  /** Fields that the contract knows. */
  readonly known: readonly string[];
  /** What happened, such as "Added client". */
  readonly done: string;
  readonly columns: ColumnSet;
  readonly describe?: Describe;
}

/** Names a record that was written, for `toWriteResult`. The server may have sent any part of it. */
export type Describe = (record: FieldValues) => string | Promise<string>;

/** Creates one record; with --dry-run shows its fields once the server has checked them. */
export async function createRecord(
  context: CommandContext<WriteFlags & PrintFlags>,
  fields: FieldValues,
  { create, known, done, columns, describe }: RecordCreation,
): Promise<CommandResult> {
  await context.localTimes.confirm(fields);
  if (context.flags.dryRun) {
    const check = (client: Collections) => explainUnknownFields(create(client), known);
    context.messages.info(await context.checkDryRun(check));
    const given = (await readLayout(context)) === 'table' ? columns : { ...columns, all: [], table: [] };
    return { show: 'record', record: fields, columns: given };
  }
  const written = await explainUnknownFields(create(await context.client()), known);
  const subject = await toSubject(written, describe);
  // The ID of a new record says which one it is among people of one name.
  const { id = '' } = written;
  const named = subject === undefined || subject.includes(id) ? subject : `${subject} (${id})`;
  return toWriteResult(written, { done, columns, subject: named });
}

async function toSubject(
  { outcome, record }: Written<object>,
  describe?: Describe,
): Promise<string | undefined> {
  if (outcome === 'accepted' || record === undefined || describe === undefined) return undefined;
  return (await describe({ ...record })) || undefined;
}

/** Changes one record, or previews the change with --dry-run. Throws `usage` for an empty change. */
export async function changeRecord(
  context: CommandContext<ChangeFlags & PrintFlags>,
  recordChange: RecordChange,
): Promise<CommandResult> {
  const { noun, id, change, seen, describe, done } = recordChange;
  const { name, columns, fields } = resources[noun];
  if (Object.keys(change).length === 0) {
    throw new SalonError('usage', 'Nothing to change.', {
      hint: 'Set fields with --set name=value or --data.',
    });
  }
  await context.localTimes.confirm(change);
  const partial = context.flags.partial === true;
  const options = { partial, current: seen?.record, ifMatch: seen?.etag };
  const update = (client: Collections): Promise<Written<object>> =>
    explainUnknownFields(client[noun].update(id, change, options) as Promise<Written<object>>, fields);
  if (context.flags.dryRun) return previewChange(context, recordChange, update);
  const written = await update(await context.client());
  const subject = await toSubject(written, describe);
  const verb = done ?? 'Updated';
  const { renderUpdate } = await import('../people/named-rows.ts');
  // The change is made, whether or not names can be read.
  const changes = done ? '' : await renderUpdate(written, { change, columns }, context).catch(() => '');
  return toWriteResult(written, { done: verb, subject: `${subject ?? `${name} ${id}`}${changes}`, columns });
}

/** Of the fields that a dry run shows. */
export const changeColumns = columnSet({ field: 'text', old: 'value', new: 'value' });

/** The result of a dry run: what would happen, and whether the server would accept it. */
export async function previewWrite(
  context: CommandContext,
  { would, record }: { readonly would: string; readonly record: Row },
  write: (client: Collections) => Promise<unknown>,
): Promise<CommandResult> {
  return { show: 'record', record, message: `Would ${would}.\n${await context.checkDryRun(write)}` };
}

interface RecordEnd {
  readonly id: string;
  readonly name: string;
  readonly question: string;
  readonly end: (client: Collections) => Promise<unknown>;
}

const ended = { delete: 'Deleted', revoke: 'Revoked' } as const;

/** Deletes or revokes one record after a question; with --dry-run says what would happen. */
export async function endRecord(
  context: CommandContext<{ readonly dryRun?: boolean }>,
  verb: keyof typeof ended,
  { id, name, question, end }: RecordEnd,
): Promise<CommandResult> {
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
  { noun, id, change, describe }: Pick<RecordChange, 'noun' | 'id' | 'change' | 'describe'>,
  write: (client: Collections) => Promise<unknown>,
): Promise<CommandResult> {
  const { flags, messages } = context;
  const client = await context.client();
  const current: FieldValues = { ...(await client[noun].get(id)) };
  const { columns, fields } = resources[noun];
  const isShown = (field: string) => columns.all.some(({ key }) => key === field);
  const rows = Object.entries(change)
    // Some members of the body, such as `cancellation_reason`, control the write, and are no fields of the record.
    .filter(([field]) => isShown(field) || !fields.includes(field))
    .map(([field, value]) => ({ field, old: current[field] ?? null, new: value }))
    .filter((row) => !isSame(row.old, row.new));
  const verdict = rows.length === 0 ? 'Nothing would change.' : await context.checkDryRun(write);
  const subject = rows.length === 0 ? '' : ((await describe?.(current)) ?? '');
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
