import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { SalonClient } from '../../client/client.ts';
import { readWhole } from '../../client/pagination/paginate.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import type { EventPattern } from '../../contract/events.ts';
import { type LocalState, openLocalState } from '../../local-state/local-state.ts';
import { dataFolder } from '../folders.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toStateName } from '../session/server-state.ts';
import { toOwner, toServiceOrigin } from '../session/session.ts';
import { emptyGapLedger, GapLedger, parseGapLedger, type SavedGapLedger } from './gap-ledger.ts';

/** The endpoint that a listener needs. */
interface EndpointRequest {
  readonly url: string;
  readonly events: readonly EventPattern[];
  /** The name to keep the endpoint under; undefined to delete it at the end. */
  readonly name: string | undefined;
}

/** Registers an endpoint with the session's salon, and finds the abandoned endpoints of killed listeners. */
export async function openRegistration(request: EndpointRequest, context: CommandContext) {
  const { name } = request;
  const { io, messages, closeAtEnd } = context;
  const open = await context.session();
  const account = { origin: toServiceOrigin(open), owner: toOwner(open) };
  // Without saved state, nothing is registered.
  const opening = openListenerStore(dataFolder(io), account).catch((failure: unknown) => {
    if (!(failure instanceof SalonError)) throw failure;
    throw withContext(failure, { hint: `${failure.hint} To use another folder, set SALON_DATA_DIR.` });
  });
  const store = closeAtEnd(await opening);
  const earlierNames = store.temporaryNames();
  const slot = await store.open(name === undefined ? temporaryPrefix + randomUUID() : `kept-${name}`);
  if (slot === undefined) {
    throw new SalonError('usage', `Another listener named "${name}" is running.`, {
      hint: 'Stop it, or choose another name with --keep.',
    });
  }
  closeAtEnd(slot);
  const access = { client: await context.cleanupClient(), now: io.now, warn: messages.warn };
  const own = await register(request, { ...access, slot }).catch(async (error) => {
    // If the response was lost, an endpoint may exist: the saved state lets the next start find it.
    const isCertain = error instanceof SalonError && !error.retryable && error.code !== 'result_unknown';
    if (name === undefined && isCertain) await slot.remove();
    throw error;
  });
  const abandonedEndpoints: Registration[] = [];
  for (const earlierName of earlierNames) {
    const earlier = await store.open(earlierName);
    if (earlier === undefined) continue;
    closeAtEnd(earlier);
    try {
      const abandoned = await findAbandoned({ ...access, slot: earlier });
      if (abandoned === undefined) await earlier.remove();
      else abandonedEndpoints.push(abandoned);
    } catch (error) {
      if (!(error instanceof SalonError)) throw error;
      messages.warn(`Cannot check endpoints of earlier listeners: ${error.message}`);
    }
  }
  return { own, abandonedEndpoints };
}

/** The service and the saved state of one endpoint. */
interface EndpointAccess {
  readonly client: SalonClient;
  readonly slot: ListenerSlot;
  readonly now: () => Date;
  /** Called once when the state can no longer be saved. */
  readonly warn: (text: string) => void;
}

/** Finds the endpoint of a killed listener; undefined if there is none. */
async function findAbandoned(access: EndpointAccess): Promise<Registration | undefined> {
  const { client, slot } = access;
  const state = slot.read();
  if (state === undefined) return undefined;
  const webhook_id = state.webhook_id ?? (await findByDescription(client, state.description));
  return webhook_id === undefined ? undefined : createRegistration({ ...state, webhook_id }, access);
}

/** Registers an endpoint, or reuses the saved one. */
async function register(request: EndpointRequest, access: EndpointAccess): Promise<Registration> {
  const { url, events } = request;
  const { webhooks } = access.client;
  const known = access.slot.read();
  const { webhook_id: webhookId = null, secret = null } = known ?? {};
  if (known === undefined || webhookId === null || secret === null) return registerNew(request, access);
  try {
    const before = await webhooks.get(webhookId);
    await explainAddress(webhooks.update(webhookId, { url, events: [...events], active: true }), url);
    return {
      ...createRegistration({ ...known, webhook_id: webhookId }, access),
      aliveAtMs: known.alive_at_ms,
      disabledAt: before.active ? undefined : before.updated_at,
    };
  } catch (thrown) {
    if (!(thrown instanceof SalonError) || thrown.code !== 'not_found') throw thrown;
    return registerNew(request, access);
  }
}

async function registerNew({ url, events, name }: EndpointRequest, access: EndpointAccess) {
  const { client, slot, now } = access;
  const nowMs = now().getTime();
  const description = `salon listen ${name ?? `${hostname()} ${randomUUID().slice(0, 8)}`}`;
  const ledger = emptyGapLedger(nowMs);
  const state: ListenerState = { description, webhook_id: null, secret: null, alive_at_ms: nowMs, ledger };
  // Saved before the request, so that the endpoint can be found if this process is killed now.
  slot.write(state);
  const creation = client.webhooks.create({ url, events: [...events], description });
  const { id, record } = await explainAddress(creation, url);
  if (id === undefined || typeof record?.secret !== 'string') {
    throw new SalonError('unexpected_response', 'The service created an endpoint but returned no secret.', {
      hint: 'Register the endpoint yourself and pass its secret with --secret-file.',
    });
  }
  const created = { ...state, webhook_id: id, secret: record.secret };
  slot.write(created);
  return createRegistration(created, access);
}

/** A killed listener may show events of this period again. */
const saveDelayMs = 50;

type KnownState = ListenerState & { readonly webhook_id: string };

/** The listener's endpoint at the service, and the state of its deliveries. */
export type Registration = ReturnType<typeof createRegistration>;

function createRegistration(state: KnownState, { client, slot, now, warn }: EndpointAccess) {
  const { webhook_id: webhookId } = state;
  const ledger = new GapLedger(state.ledger);
  let isSaveDue = false;
  let isKept = true;
  const save = () => {
    isSaveDue = false;
    try {
      slot.write({ ...state, alive_at_ms: now().getTime(), ledger: ledger.save() });
      isKept = true;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (isKept) warn(`Cannot save the listener's state, so a restart may repeat events: ${reason}`);
      isKept = false;
    }
  };
  return {
    secret: state.secret ?? '',
    ledger,
    /** When the previous listener was last alive; undefined for a new endpoint. */
    aliveAtMs: undefined as number | undefined,
    /** When the service disabled the endpoint in the meantime; it is enabled again. */
    disabledAt: undefined as string | undefined,
    /** Missed deliveries up to that time, oldest first. Throws `not_found` if the endpoint is gone. */
    async *readMissed(untilMs: number) {
      const created_from = new Date(ledger.unsettledFromMs).toISOString();
      for await (const { rows } of client.webhooks.deliveries(webhookId, { created_from })) {
        yield* ledger.findMissed(rows, untilMs);
      }
    },
    /** Whether the endpoint is still enabled. Throws `not_found` if it is gone. */
    isActive: async () => (await client.webhooks.get(webhookId)).active,
    save,
    /** Saves the state soon, so that many events cause one write. Warns if that fails. */
    saveSoon() {
      if (!isSaveDue) setTimeout(() => isSaveDue && save(), saveDelayMs);
      isSaveDue = true;
    },
    /** Deletes the endpoint and its local state. */
    async remove() {
      isSaveDue = false;
      await client.webhooks.delete(webhookId).catch((thrown) => {
        if (!(thrown instanceof SalonError) || thrown.code !== 'not_found') throw thrown;
      });
      await slot.remove();
    },
  };
}

async function findByDescription(client: SalonClient, description: string): Promise<string | undefined> {
  for await (const { rows } of readWhole(client.webhooks.list(), 'webhooks')) {
    const found = rows.find((webhook) => webhook.description === description);
    if (found !== undefined) return found.id;
  }
  return undefined;
}

/** Adds a hint to the error if the URL was refused or the server has no webhooks. */
async function explainAddress<Result>(write: Promise<Result>, url: string): Promise<Result> {
  try {
    return await write;
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    if (thrown.code === 'not_supported') {
      throw withContext(thrown, {
        hint: `Register ${url} at the server yourself, and pass its secret with --secret-file or SALON_WEBHOOK_SECRET.`,
      });
    }
    if (!thrown.violations.some(({ pointer }) => pointer === '/url')) throw thrown;
    throw withContext(thrown, {
      hint: `The service must be able to reach ${url}. On this machine, start it with --allow-loopback-webhooks. If it runs elsewhere, open a tunnel and pass its URL: --public-url https://…, with a fixed --port.`,
    });
  }
}

/** What a listener saves for the next one. */
interface ListenerState {
  /** The endpoint's description at the service, which finds an endpoint whose ID was never received. */
  readonly description: string;
  readonly webhook_id: string | null;
  readonly secret: string | null;
  /** The last time it processed an event or polled the log. Unix milliseconds. */
  readonly alive_at_ms: number;
  readonly ledger: SavedGapLedger;
}

/** What the names of listeners without --keep begin with. */
const temporaryPrefix = 'temporary-';

/**
 * Opens the saved listeners of one account on one service, in the state file of the data folder. The keys contain a
 * hash of service and account.
 */
async function openListenerStore(
  dataFolder: string,
  { origin, owner }: { readonly origin: string; readonly owner: string },
) {
  const prefix = `listener/${toStateName(`${origin}\n${owner}`)}/`;
  const state = await openLocalState(dataFolder);
  return {
    /** Returns undefined where another process has locked the listener. */
    async open(name: string) {
      const lock = await state.acquireLock(prefix + name);
      return lock && createSlot(prefix + name, state, lock);
    },
    /** The listeners without --keep, running ones included. */
    temporaryNames: () => state.keys(prefix + temporaryPrefix).map((key) => key.slice(prefix.length)),
    async [Symbol.asyncDispose]() {
      state[Symbol.dispose]();
    },
  };
}

function createSlot(key: string, state: LocalState, lock: AsyncDisposable) {
  return {
    /** Undefined before the first write, and for damaged state. */
    read: () => parseState(state.read(key)),
    write: (next: ListenerState) => state.write(key, next),
    async remove() {
      try {
        state.write(key, undefined);
      } catch {
        // The next start finds no endpoint for it and removes it.
      }
      await lock[Symbol.asyncDispose]();
    },
    [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose](),
  };
}

/** The saved state of one listener, locked by this process. */
type ListenerSlot = ReturnType<typeof createSlot>;

function parseState(value: unknown): ListenerState | undefined {
  const { description, webhook_id, secret, alive_at_ms, ledger } = Object(value);
  const parsed = parseGapLedger(ledger);
  if (typeof description !== 'string' || !Number.isFinite(alive_at_ms) || parsed === undefined)
    return undefined;
  return {
    description,
    webhook_id: typeof webhook_id === 'string' ? webhook_id : null,
    secret: typeof secret === 'string' ? secret : null,
    alive_at_ms,
    ledger: parsed,
  };
}
