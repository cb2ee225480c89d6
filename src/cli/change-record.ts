import { isDeepStrictEqual } from 'node:util';
import type { Written } from '../client/resources/record.ts';
import { appointmentChange } from '../contract/appointment.ts';
import { clientChange } from '../contract/client.ts';
import { SalonError } from '../contract/errors.ts';
import { stylistChange } from '../contract/stylist.ts';
import { parseInstant } from '../contract/time.ts';
import { webhookChange } from '../contract/webhook.ts';
import { exitCodes } from './exit-codes.ts';
import type { Fields } from './fields.ts';
import type { ChangeFlags } from './flags/options.ts';
import {
  appointmentColumns,
  clientColumns,
  columnSet,
  stylistColumns,
  webhookColumns,
} from './output/columns.ts';
import { type CommandResult, onePage } from './output/command-result.ts';
import { toOutcome } from './output/written.ts';
import type { CommandContext } from './session/command-context.ts';
import { explainUnknownFields } from './unknown-fields.ts';

const kinds = {
  appointments: {
    name: 'appointment',
    columns: appointmentColumns,
    fields: Object.keys(appointmentChange.properties),
  },
  clients: { name: 'client', columns: clientColumns, fields: Object.keys(clientChange.properties) },
  stylists: { name: 'stylist', columns: stylistColumns, fields: Object.keys(stylistChange.properties) },
  webhooks: { name: 'webhook', columns: webhookColumns, fields: Object.keys(webhookChange.properties) },
} as const;

/** Which record is changed, and by what. */
export interface RecordChange {
  readonly noun: keyof typeof kinds;
  readonly id: string;
  readonly change: Fields;
}

/** Changes one record; with --dry-run shows what would change. Throws `usage` where nothing is to be changed. */
export async function changeRecord(
  context: CommandContext<ChangeFlags>,
  asked: RecordChange,
): Promise<CommandResult> {
  const { noun, id, change } = asked;
  const { name, columns, fields } = kinds[noun];
  if (Object.keys(change).length === 0) {
    throw new SalonError('usage', 'There is nothing to change.', {
      hint: 'Give fields with --set name=value or --data.',
    });
  }
  if (context.flags.dryRun) return previewChange(context, asked);
  const client = await context.client();
  const update: Promise<Written<object>> = client[noun].update(id, change, {
    partial: context.flags.partial === true,
  });
  const written = await explainUnknownFields(update, fields);
  return toOutcome(written, { done: `Changed ${name}`, columns });
}

const changeColumns = columnSet({ field: 'text', old: 'text', new: 'text' });

/** Field by field: what is there, and what would be. */
export async function previewChange(
  context: CommandContext<ChangeFlags>,
  asked: RecordChange,
): Promise<CommandResult> {
  const { flags, messages } = context;
  const { noun, id, change } = asked;
  const client = await context.client();
  const present: Fields = { ...(await client[noun].get(id)) };
  const rows = Object.entries(change)
    .filter(([field]) => !isSaidOfChange(noun, field))
    .map(([field, value]) => ({ field, old: present[field] ?? null, new: value }))
    .filter((row) => !isSame(row.old, row.new));
  messages.info(rows.length === 0 ? 'Nothing would change.' : 'This would change; nothing was sent.');
  const pending = flags.exitCode === true && rows.length > 0;
  return {
    show: 'records',
    noun: 'changes',
    columns: changeColumns,
    pages: onePage(rows),
    exitCode: pending ? exitCodes.pending.code : exitCodes.done.code,
  };
}

/** Whether a member of the body tells how to change the record, and is no field of it. */
function isSaidOfChange(noun: RecordChange['noun'], field: string): boolean {
  const { columns, fields } = kinds[noun];
  return fields.includes(field) && columns.all.every(({ key }) => key !== field);
}

/** One instant has several spellings. */
function isSame(old: unknown, wanted: unknown): boolean {
  if (typeof old !== 'string' || typeof wanted !== 'string') return isDeepStrictEqual(old, wanted);
  const ms = parseInstant(old)?.ms;
  return old === wanted || (ms !== undefined && ms === parseInstant(wanted)?.ms);
}
