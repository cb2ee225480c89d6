import { randomUUID } from 'node:crypto';
import { SalonError, withContext } from '../../contract/errors.ts';
import type { EventPattern } from '../../contract/events.ts';
import type { CommandContext } from '../session/command-context.ts';
import { dataFolder } from '../session/folders.ts';
import type { Session } from '../session/session.ts';
import { toOwner, toServiceOrigin } from '../session/session.ts';
import { type ListenerStore, openListenerStore, toKeptName, toTemporaryName } from './listener-state.ts';
import { findAbandoned, type Registration, register } from './registration.ts';

export interface OpenRegistrationOptions {
  readonly context: CommandContext;
  readonly url: string;
  readonly events: readonly EventPattern[];
  /** The name to keep the endpoint under; undefined to delete it at the end. */
  readonly name: string | undefined;
}

export interface OpenedRegistration {
  readonly own: Registration;
  /** Endpoints of killed listeners. */
  readonly abandonedEndpoints: readonly Registration[];
}

/** Registers an endpoint with the session's salon, and finds endpoints of killed listeners. */
export async function openRegistration({
  context,
  url,
  events,
  name,
}: OpenRegistrationOptions): Promise<OpenedRegistration> {
  const { io, messages, closeAtEnd } = context;
  const session = await context.session();
  const store = closeAtEnd(await openStore(context, session));
  const earlierNames = store.temporaryNames();
  const slot = await store.open(name === undefined ? toTemporaryName(randomUUID()) : toKeptName(name));
  if (slot === undefined) {
    throw new SalonError('usage', `Another listener named "${name}" is running.`, {
      hint: 'Stop it, or choose another name with --keep.',
    });
  }
  closeAtEnd(slot);
  const client = await context.cleanupClient();
  const options = { client, slot, url, events, name, now: io.now, warn: messages.warn };
  const own = await register(options).catch(async (error) => {
    // If the response was lost, an endpoint may exist: the saved state lets the next start find it.
    if (name === undefined && isCertain(error)) await slot.remove();
    throw error;
  });
  const abandonedEndpoints: Registration[] = [];
  for (const earlierName of earlierNames) {
    const earlier = await store.open(earlierName);
    if (earlier === undefined) continue;
    closeAtEnd(earlier);
    try {
      const abandoned = await findAbandoned(client, { slot: earlier, now: io.now, warn: messages.warn });
      if (abandoned === undefined) await earlier.remove();
      else abandonedEndpoints.push(abandoned);
    } catch (error) {
      if (!(error instanceof SalonError)) throw error;
      messages.warn(`Cannot check endpoints of earlier listeners: ${error.message}`);
    }
  }
  return { own, abandonedEndpoints };
}

/** Throws `output_failed`: without saved state, nothing is registered. */
async function openStore({ io }: CommandContext, session: Session): Promise<ListenerStore> {
  try {
    return await openListenerStore(dataFolder(io), {
      origin: toServiceOrigin(session),
      owner: toOwner(session),
    });
  } catch (failure) {
    if (!(failure instanceof SalonError)) throw failure;
    throw withContext(failure, {
      hint: `${failure.hint} To use another folder, set SALON_DATA_DIR.`,
    });
  }
}

/** Whether an error means that nothing was created. */
function isCertain(error: unknown): boolean {
  return error instanceof SalonError && !error.retryable && error.code !== 'result_unknown';
}
