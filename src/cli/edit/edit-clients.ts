import type { SelectedEdit } from '../../bulk/planned-edit.ts';
import { type ClientConditionFlags, readClientConditions } from '../flags/client-conditions.ts';
import type { CommandResult } from '../output/command-result.ts';
import { listSelectedClients } from '../people/selected-clients.ts';
import type { CommandContext } from '../session/command-context.ts';
import { runSelectedEdit } from './bulk-edit.ts';
import type { EditFlags } from './edit-options.ts';

/** The fields that a condition is about. Who has changed since in one of them is skipped. */
const watchedBy: Readonly<Partial<Record<keyof ClientConditionFlags, readonly string[]>>> = {
  search: ['first_name', 'last_name', 'email', 'phone'],
  email: ['email'],
  noEmail: ['email'],
  phone: ['phone'],
  noPhone: ['phone'],
  tag: ['tags'],
  withoutTag: ['tags'],
  birthdayWithin: ['birthday'],
};

/** Edits the clients that the flags select, or all of them. */
export async function editSelectedClients(
  edit: Pick<SelectedEdit, 'verb' | 'set' | 'addTags' | 'removeTags' | 'force'>,
  context: CommandContext<EditFlags & ClientConditionFlags>,
): Promise<CommandResult> {
  const { flags, io, session } = context;
  const timeZone = (await session()).settings.timeZone.value;
  const { query, conditions, text } = readClientConditions(flags, { now: io.now(), timeZone });
  const client = await context.client();
  const selection = text === '' ? ({ all: true } as const) : conditions;
  const selected = listSelectedClients(client, selection, { query, provesVisits: true, context });
  const given = Object.keys(flags) as (keyof ClientConditionFlags)[];
  const watch = [...new Set(given.flatMap((name) => watchedBy[name] ?? []))];
  return runSelectedEdit(
    selected,
    { ...edit, noun: 'clients', condition: text === '' ? '--all' : text, watch },
    context,
  );
}
