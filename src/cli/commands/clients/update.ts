import { SalonError } from '../../../contract/errors.ts';
import type { Handler } from '../../action-runner.ts';
import { editFromSheet, requireReference, selectsByFlags } from '../../edit/edit-sheet.ts';
import { type ClientSelectionFlags, clientSelectionFlags } from '../../flags/client-selection.ts';
import type { EditFlags } from '../../flags/edit-flags.ts';
import { type FieldValues, readFields } from '../../flags/fields.ts';
import type { ChangeFlags } from '../../flags/options.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeRecord, type RecordChange } from '../write-record.ts';

interface Flags extends ChangeFlags, EditFlags, ClientSelectionFlags {
  readonly preferredStylist?: string;
}

export const updateClients: Handler<Flags> = async (context, words) => {
  const { flags } = context;
  const reference = words.length === 0 ? undefined : words.join(' ');
  const { addTag: addTags, removeTag: removeTags } = flags;
  if (selectsByFlags(flags, clientSelectionFlags, reference)) {
    const { editSelectedClients } = await import('../../edit/edit-selected.ts');
    const set = await readChange(context);
    return editSelectedClients({ verb: 'update', set, addTags, removeTags }, context);
  }
  const edited = await editFromSheet({ noun: 'clients', verb: 'update' }, context, reference);
  if (edited !== undefined) return edited;
  const given = requireReference(reference, 'client');
  const { resolveClient } = await import('../../people/resolve.ts');
  const { id } = await resolveClient(given, context, { isWrite: true });
  const recordChange = { noun: 'clients', id, change: await readChange(context) } as const;
  return (addTags ?? removeTags) === undefined
    ? changeRecord(context, recordChange)
    : changeTags(context, recordChange);
};

async function readChange(context: CommandContext<Flags>): Promise<FieldValues> {
  const { resolvePreferredStylist } = await import('../../people/resolve-filters.ts');
  const fields = await readFields(context.flags, context.io);
  return { ...(await resolvePreferredStylist(context)), ...fields };
}

/** A client may be changed again and again while tags are added. */
const maxTries = 3;

/** Adds and removes tags of the list that the client has, even if somebody else does so at the same time. */
async function changeTags(
  context: CommandContext<Flags>,
  recordChange: RecordChange,
): Promise<CommandResult> {
  const { id, change } = recordChange;
  const { addTag: addTags, removeTag: removeTags } = context.flags;
  const { applyTagChanges, assertTagChanges } = await import('../../../bulk/input/edit-fields.ts');
  assertTagChanges({ addTags, removeTags }, change);
  const { clients } = await context.client();
  for (let tries = 1; ; tries += 1) {
    const seen = await clients.getTagged(id);
    const tags = applyTagChanges({ ...seen.record }, { addTags, removeTags });
    try {
      return await changeRecord(context, { ...recordChange, change: { ...change, tags }, seen });
    } catch (error) {
      const isChanged = error instanceof SalonError && error.code === 'precondition_failed';
      if (!isChanged || tries === maxTries) throw error;
    }
  }
}
