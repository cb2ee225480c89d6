import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { toFileFailure } from '../../bulk/jobs/file-access.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import type { EventPattern } from '../../contract/events.ts';
import type { CommandContext } from '../session/command-context.ts';
import { dataFolder } from '../session/folders.ts';
import type { Session } from '../session/session.ts';
import { toServiceOrigin } from '../session/session.ts';
import {
  findTemporaryFolders,
  keptFolder,
  listenersFolder,
  openListenerFolder,
  temporaryFolder,
} from './listener-folder.ts';
import { findLeftover, type Registration, register } from './registration.ts';

export interface WantedRegistration {
  readonly context: CommandContext;
  readonly url: string;
  readonly events: readonly EventPattern[];
  /** The name to keep the endpoint under; undefined to delete it at the end. */
  readonly name: string | undefined;
}

export interface OpenedRegistration {
  readonly own: Registration;
  /** Endpoints of killed listeners. */
  readonly leftovers: readonly Registration[];
}

/** Registers an endpoint with the session's salon, and finds endpoints of killed listeners. */
export async function openRegistration({
  context,
  url,
  events,
  name,
}: WantedRegistration): Promise<OpenedRegistration> {
  const { io, messages, closeAtEnd } = context;
  const session = await context.session();
  const root = listenersFolder(dataFolder(io), toServiceOrigin(session), ownerOf(session));
  makeFolder(root);
  const before = findTemporaryFolders(root);
  const path = name === undefined ? temporaryFolder(root, randomUUID()) : keptFolder(root, name);
  const folder = await openListenerFolder(path);
  if (folder === undefined) {
    throw new SalonError('usage', `Another listener named "${name}" is running.`, {
      hint: 'Stop it, or choose another name with --keep.',
    });
  }
  closeAtEnd(folder);
  const client = await context.cleanupClient();
  const plan = { client, folder, url, events, name, now: io.now, warn: messages.warn };
  const own = await register(plan).catch(async (error) => {
    // If the response was lost, an endpoint may exist: the saved state lets the next start find it.
    if (name === undefined && isCertain(error)) await folder.remove();
    throw error;
  });
  const leftovers: Registration[] = [];
  for (const place of before) {
    const left = await openListenerFolder(place);
    if (left === undefined) continue;
    closeAtEnd(left);
    try {
      const leftover = await findLeftover(client, { folder: left, now: io.now, warn: messages.warn });
      if (leftover === undefined) await left.remove();
      else leftovers.push(leftover);
    } catch (error) {
      if (!(error instanceof SalonError)) throw error;
      messages.warn(`Cannot check endpoints of earlier listeners: ${error.message}`);
    }
  }
  return { own, leftovers };
}

/** Throws `output_failed`: without saved state, nothing is registered. */
function makeFolder(root: string): void {
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const failure = toFileFailure(root, cause);
    if (!(failure instanceof SalonError)) throw failure;
    throw withContext(failure, {
      hint: 'Set SALON_DATA_DIR to a writable folder.',
    });
  }
}

/** The owner of the endpoints: an account, or a key if the account is unknown. */
function ownerOf({ settings, profile }: Session): string {
  const { credential } = settings;
  const account = credential?.source === 'profile' ? profile?.account?.id : undefined;
  return account ?? credential?.value.key ?? '';
}

/** Whether an error means that nothing was created. */
function isCertain(error: unknown): boolean {
  return error instanceof SalonError && !error.retryable && error.code !== 'result_unknown';
}
