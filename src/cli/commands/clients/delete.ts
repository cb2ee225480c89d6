import type { SalonClient } from '../../../client/client.ts';
import type { Collections } from '../../../client/resources/collections.ts';
import { SalonError, withContext } from '../../../contract/errors.ts';
import { countOf } from '../../../text/numbers.ts';
import type { Handler } from '../../action-runner.ts';
import { editFromSheet, requireReference, selectsByFlags } from '../../edit/edit-sheet.ts';
import { type ClientSelectionFlags, clientSelectionFlags } from '../../flags/client-selection.ts';
import type { EditFlags } from '../../flags/edit-flags.ts';
import { jobsFolder } from '../../folders.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { endRecord } from '../write-record.ts';

interface Flags extends EditFlags, ClientSelectionFlags {
  readonly ignoreMissing?: boolean;
}

export const deleteClients: Handler<Flags> = async (context, words) => {
  const { flags, io, messages } = context;
  const given = words.length === 0 ? undefined : words.join(' ');
  if (selectsByFlags(flags, clientSelectionFlags, given)) {
    const { editSelectedClients } = await import('../../edit/edit-selected.ts');
    return editSelectedClients({ verb: 'delete', force: flags.force }, context);
  }
  const edited = await editFromSheet({ noun: 'clients', verb: 'delete' }, context, given);
  if (edited !== undefined) return edited;
  const reference = requireReference(given, 'client');
  const client = await context.client();
  const { resolveClient } = await import('../../people/resolve.ts');
  let id = reference;
  try {
    id = (await resolveClient(reference, context, { isWrite: true })).id;
    const name = await readName(client, id);
    const force = flags.force === true;
    if (!force) {
      const { readBooked } = await import('../../../bulk/plan/booked-clients.ts');
      using booked = await readBooked(client, { now: io.now(), onUnread: messages.warn });
      const { count = 0 } = booked?.find(id, 'upcoming') ?? {};
      const message = `${name} has ${countOf(count, 'upcoming appointments')}.`;
      if (count > 0) throw new SalonError('client_has_upcoming_appointments', message);
    }
    const question = `Delete ${name} and their personal data?`;
    const end = ({ clients }: Collections) => clients.delete(id, { force });
    const result = await endRecord(context, 'delete', { id, name, question, end });
    if (!flags.dryRun) await removeOldTraces(context);
    return result;
  } catch (error) {
    // The data of a merged client is not gone: the client it was merged into has it.
    const isMissing =
      error instanceof SalonError && error.code === 'not_found' && error.members['merged_into'] === undefined;
    if (isMissing && flags.ignoreMissing) {
      return { show: 'record', record: { id, deleted: false }, message: `No client with ID ${id}.` };
    }
    throw withForceHint(error);
  }
};

/** Expired local jobs may contain the client. A bulk delete removes them when its own job starts. */
async function removeOldTraces({ io }: CommandContext<Flags>): Promise<void> {
  const { removeExpiredJobs } = await import('../../../bulk/jobs/job-folder.ts');
  // The client is gone, whether or not the folder of the jobs can be read.
  await removeExpiredJobs(jobsFolder(io), io.now()).catch(() => {});
}

async function readName(client: SalonClient, id: string): Promise<string> {
  const { nameOfClient } = await import('../../people/names.ts');
  const name = nameOfClient(await client.clients.get(id));
  return name === '' ? `client ${id}` : `${name} (${id})`;
}

function withForceHint(error: unknown): unknown {
  if (!(error instanceof SalonError) || error.code !== 'client_has_upcoming_appointments') return error;
  const hint = 'Cancel them first, or use --force to cancel them and delete the client.';
  return withContext(error, { hint });
}
