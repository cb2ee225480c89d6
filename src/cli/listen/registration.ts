import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { SalonClient } from '../../client/client.ts';
import type { Delivery } from '../../contract/delivery.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import type { EventPattern } from '../../contract/events.ts';
import { createGapLedger, emptyGapLedger, type GapLedger } from '../../webhooks/gap-ledger.ts';
import type { ListenerFolder, ListenerState } from './listener-folder.ts';

/** An endpoint at the service that tells this listener of events, and what is known of what it was sent. */
export interface Registration {
  readonly secret: string;
  readonly ledger: GapLedger;
  /** When the listener before this one was last alive; undefined where this is the first with this endpoint. */
  readonly aliveAtMs: number | undefined;
  /** When the service switched the endpoint off while nobody was here; now it is on again. */
  readonly switchedOffAt: string | undefined;
  /** What it was sent by then and never came, oldest first. Throws `not_found` where the endpoint is gone. */
  readMissed(untilMs: number): AsyncGenerator<Delivery, void>;
  /** Whether the service still sends events to it. Throws `not_found` where it is gone. */
  isActive(): Promise<boolean>;
  /** Keeps on disk what is known, in a moment: many events at once are one write. Warns where that fails. */
  saveSoon(): void;
  save(): void;
  /** Removes it from the service and from this machine. */
  remove(): Promise<void>;
}

export interface RegistrationOptions {
  readonly client: SalonClient;
  readonly folder: ListenerFolder;
  readonly url: string;
  readonly events: readonly EventPattern[];
  /** The name it is kept under; undefined where it is removed in the end. */
  readonly name: string | undefined;
  readonly now: () => Date;
  /** Told once when what is known cannot be kept on disk any more. */
  readonly warn: (text: string) => void;
}

/** Registers an endpoint, or takes up again the one that the folder knows. */
export async function register(plan: RegistrationOptions): Promise<Registration> {
  const known = plan.folder.read();
  return (known && (await takeUp(known, plan))) ?? (await registerAnew(plan));
}

/** The endpoint that a killed listener left behind; undefined where there is none. */
export async function findLeftover(
  client: SalonClient,
  { folder, now, warn }: Pick<RegistrationOptions, 'folder' | 'now' | 'warn'>,
): Promise<Registration | undefined> {
  const state = folder.read();
  if (state === undefined) return undefined;
  const webhookId = state.webhook_id ?? (await findByDescription(client, state.description));
  if (webhookId === undefined) return undefined;
  return createRegistration({ ...state, webhook_id: webhookId }, { client, folder, now, warn });
}

async function takeUp(known: ListenerState, plan: RegistrationOptions): Promise<Registration | undefined> {
  const { webhook_id: webhookId, secret } = known;
  if (webhookId === null || secret === null) return undefined;
  const { client, url, events } = plan;
  try {
    const before = await client.webhooks.get(webhookId);
    await explainAddress(client.webhooks.update(webhookId, { url, events: [...events], active: true }), plan);
    const registration = createRegistration({ ...known, webhook_id: webhookId }, plan);
    return {
      ...registration,
      aliveAtMs: known.alive_at_ms,
      switchedOffAt: before.active ? undefined : before.updated_at,
    };
  } catch (thrown) {
    if (thrown instanceof SalonError && thrown.code === 'not_found') return undefined;
    throw thrown;
  }
}

async function registerAnew(plan: RegistrationOptions): Promise<Registration> {
  const { client, folder, url, events, name, now } = plan;
  const nowMs = now().getTime();
  const state: ListenerState = {
    description:
      name === undefined ? `salon listen ${hostname()} ${randomUUID().slice(0, 8)}` : `salon listen ${name}`,
    webhook_id: null,
    secret: null,
    alive_at_ms: nowMs,
    ledger: emptyGapLedger(nowMs),
  };
  // Written before anything is sent: whoever is killed now leaves an endpoint that can be found.
  folder.write(state);
  const body = { url, events: [...events], description: state.description };
  const { id, record } = await explainAddress(client.webhooks.create(body), plan);
  if (id === undefined || typeof record?.secret !== 'string') {
    throw new SalonError('unexpected_response', 'The service made an endpoint, but told no secret for it.', {
      hint: 'Give the secret with --secret-file; then nothing is registered.',
    });
  }
  const made = { ...state, webhook_id: id, secret: record.secret };
  folder.write(made);
  return createRegistration(made, plan);
}

/** Of what was shown in this time, a listener that is killed shows some again. */
const saveDelayMs = 50;

type KnownState = ListenerState & { readonly webhook_id: string };

function createRegistration(
  state: KnownState,
  { client, folder, now, warn }: Pick<RegistrationOptions, 'client' | 'folder' | 'now' | 'warn'>,
): Registration {
  const { webhook_id: webhookId } = state;
  const ledger = createGapLedger(state.ledger);
  let isSaveDue = false;
  let isKept = true;
  const save = () => {
    isSaveDue = false;
    try {
      folder.write({ ...state, alive_at_ms: now().getTime(), ledger: ledger.save() });
      isKept = true;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (isKept) warn(`What was dealt with cannot be noted, so a restart may bring it again: ${reason}`);
      isKept = false;
    }
  };
  return {
    secret: state.secret ?? '',
    ledger,
    aliveAtMs: undefined,
    switchedOffAt: undefined,
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
      await folder.remove();
    },
  };
}

async function findByDescription(client: SalonClient, description: string): Promise<string | undefined> {
  for await (const { rows } of client.webhooks.list()) {
    const found = rows.find((webhook) => webhook.description === description);
    if (found !== undefined) return found.id;
  }
  return undefined;
}

/** Waits for a write and, where the address was refused or there are no webhooks, adds what to do then. */
async function explainAddress<Result>(write: Promise<Result>, { url }: RegistrationOptions): Promise<Result> {
  try {
    return await write;
  } catch (thrown) {
    if (!(thrown instanceof SalonError)) throw thrown;
    if (thrown.code === 'not_supported') {
      throw withContext(thrown, {
        hint: `Tell the server in its own way to send events to ${url}, and give its secret with --secret-file or SALON_WEBHOOK_SECRET.`,
      });
    }
    if (!thrown.violations.some(({ pointer }) => pointer === '/url')) throw thrown;
    throw withContext(thrown, {
      hint: `The service has to reach ${url}. Where it runs elsewhere, open a tunnel to this machine and name its address: --public-url https://…, with --port for a port that stays.`,
    });
  }
}
