import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { SalonClient } from '../../client/client.ts';
import { readWhole } from '../../client/pagination/paginate.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import type { EventPattern } from '../../contract/events.ts';
import { createGapLedger, emptyGapLedger, type GapLedger } from '../../webhooks/gap-ledger.ts';
import type { ListenerSlot, ListenerState } from './listener-state.ts';

/** The listener's endpoint at the service, and the state of its deliveries. */
export interface Registration {
  readonly secret: string;
  readonly ledger: GapLedger;
  /** When the previous listener was last alive; undefined for a new endpoint. */
  readonly aliveAtMs: number | undefined;
  /** When the service disabled the endpoint in the meantime; it is enabled again. */
  readonly disabledAt: string | undefined;
  /** Missed deliveries up to that time, oldest first. Throws `not_found` if the endpoint is gone. */
  readMissed(untilMs: number): AsyncGenerator<Delivery, void>;
  /** Whether the endpoint is still enabled. Throws `not_found` if it is gone. */
  isActive(): Promise<boolean>;
  /** Saves the state soon, so that many events cause one write. Warns if that fails. */
  saveSoon(): void;
  save(): void;
  /** Deletes the endpoint and its local state. */
  remove(): Promise<void>;
}

export interface RegistrationOptions {
  readonly client: SalonClient;
  readonly slot: ListenerSlot;
  readonly url: string;
  readonly events: readonly EventPattern[];
  /** The name to keep the endpoint under; undefined to delete it at the end. */
  readonly name: string | undefined;
  readonly now: () => Date;
  /** Called once when the state can no longer be saved. */
  readonly warn: (text: string) => void;
}

/** Registers an endpoint, or reuses the saved one. */
export async function register(options: RegistrationOptions): Promise<Registration> {
  const known = options.slot.read();
  return (known && (await reuse(known, options))) ?? (await registerNew(options));
}

/** Finds the endpoint of a killed listener; undefined if there is none. */
export async function findAbandoned(
  client: SalonClient,
  { slot, now, warn }: Pick<RegistrationOptions, 'slot' | 'now' | 'warn'>,
): Promise<Registration | undefined> {
  const state = slot.read();
  if (state === undefined) return undefined;
  const webhookId = state.webhook_id ?? (await findByDescription(client, state.description));
  if (webhookId === undefined) return undefined;
  return createRegistration({ ...state, webhook_id: webhookId }, { client, slot, now, warn });
}

async function reuse(known: ListenerState, options: RegistrationOptions): Promise<Registration | undefined> {
  const { webhook_id: webhookId, secret } = known;
  if (webhookId === null || secret === null) return undefined;
  const { client, url, events } = options;
  try {
    const before = await client.webhooks.get(webhookId);
    await explainAddress(
      client.webhooks.update(webhookId, { url, events: [...events], active: true }),
      options,
    );
    const registration = createRegistration({ ...known, webhook_id: webhookId }, options);
    return {
      ...registration,
      aliveAtMs: known.alive_at_ms,
      disabledAt: before.active ? undefined : before.updated_at,
    };
  } catch (thrown) {
    if (thrown instanceof SalonError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

async function registerNew(options: RegistrationOptions): Promise<Registration> {
  const { client, slot, url, events, name, now } = options;
  const nowMs = now().getTime();
  const state: ListenerState = {
    description:
      name === undefined ? `salon listen ${hostname()} ${randomUUID().slice(0, 8)}` : `salon listen ${name}`,
    webhook_id: null,
    secret: null,
    alive_at_ms: nowMs,
    ledger: emptyGapLedger(nowMs),
  };
  // Saved before the request, so that the endpoint can be found if this process is killed now.
  slot.write(state);
  const body = { url, events: [...events], description: state.description };
  const { id, record } = await explainAddress(client.webhooks.create(body), options);
  if (id === undefined || typeof record?.secret !== 'string') {
    throw new SalonError('unexpected_response', 'The service created an endpoint but returned no secret.', {
      hint: 'Register the endpoint yourself and pass its secret with --secret-file.',
    });
  }
  const created = { ...state, webhook_id: id, secret: record.secret };
  slot.write(created);
  return createRegistration(created, options);
}

/** A killed listener may show events of this period again. */
const saveDelayMs = 50;

type KnownState = ListenerState & { readonly webhook_id: string };

function createRegistration(
  state: KnownState,
  { client, slot, now, warn }: Pick<RegistrationOptions, 'client' | 'slot' | 'now' | 'warn'>,
): Registration {
  const { webhook_id: webhookId } = state;
  const ledger = createGapLedger(state.ledger);
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
    aliveAtMs: undefined,
    disabledAt: undefined,
    async *readMissed(untilMs) {
      const created_from = new Date(ledger.unsettledFromMs).toISOString();
      for await (const { rows } of client.webhooks.deliveries(webhookId, { created_from })) {
        yield* ledger.findMissed(rows, untilMs);
      }
    },
    isActive: async () => (await client.webhooks.get(webhookId)).active,
    save,
    saveSoon() {
      if (!isSaveDue) setTimeout(() => isSaveDue && save(), saveDelayMs);
      isSaveDue = true;
    },
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
async function explainAddress<Result>(write: Promise<Result>, { url }: RegistrationOptions): Promise<Result> {
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
