import { randomBytes } from 'node:crypto';
import type { Webhook } from '../../src/contract/webhook.ts';
import type { Database } from '../../src/service/db/database.ts';
import type { AttemptLogRow } from '../../src/service/db/deliveries/delivery-log.ts';
import { insertEvent, readLastEvent } from '../../src/service/db/deliveries/events.ts';
import type { RecordRows } from '../../src/service/db/record-rows.ts';
import { insertRecord } from '../../src/service/db/records/records.ts';
import { createAccount } from '../../src/service/domain/accounts.ts';
import { createId } from '../../src/service/domain/records.ts';
import { openSecrets, type Secrets } from '../../src/service/secrets/secrets.ts';
import {
  createDeliveryWorker,
  type DeliveryWorker,
  type DeliveryWorkerOptions,
} from '../../src/service/webhooks/delivery-worker.ts';
import { createWebhookSecret } from '../../src/webhooks/signature.ts';
import { openTestDatabase } from './database.ts';
import type { StoredDelivery } from './delivery-log.ts';

/** An account with webhooks, and a clock that the test sets. */
export interface WebhookSalon extends AsyncDisposable {
  readonly database: Database;
  readonly accountId: string;
  readonly clock: { nowMs: number };
  readonly secrets: Secrets;
  /** The logged members and messages. */
  readonly logged: readonly object[];
  /** Creates a worker, which is closed with the salon. */
  createWorker(parts?: Partial<DeliveryWorkerOptions>): DeliveryWorker;
  openAgain(): Promise<Database>;
  /** `former` is a secret that also signs until `untilMs`. */
  addWebhook(url: string, more?: WebhookExtras): Promise<{ id: string; secret: string }>;
  /** Adds events with deliveries to a webhook and returns their IDs. */
  addEvents(webhookId: string, count: number): Promise<string[]>;
  readWebhook(id: string): Promise<Webhook>;
  readDeliveries(webhookId: string): Promise<StoredDelivery[]>;
  readAttempts(deliveryId: string): Promise<AttemptLogRow[]>;
}

interface WebhookExtras {
  readonly former?: string;
  readonly untilMs?: number;
  readonly change?: Partial<RecordRows['webhooks']>;
}

export async function openWebhookSalon(): Promise<WebhookSalon> {
  const opened = await openTestDatabase();
  const { database, openAgain } = opened;
  const clock = { nowMs: Date.UTC(2026, 0, 5, 9) };
  const environment = {
    now: () => new Date(clock.nowMs),
    // A single byte is the random part of a retry delay, here always 0.
    random: (size: number) => (size === 1 ? new Uint8Array(1) : randomBytes(size)),
  };
  const account = await createAccount({ database, environment }, { name: 'Test salon', plan: 'pro' });
  const logged: object[] = [];
  const log = (members: object, message: string) => logged.push({ ...members, message });
  const secrets = openSecrets({ location: opened.file, environment });
  const { reader } = database;
  const workers: DeliveryWorker[] = [];

  async function addWebhook(url: string, { former, untilMs, change = {} }: WebhookExtras = {}) {
    const id = createId('webhook', environment);
    const secret = createWebhookSecret(randomBytes);
    const at = new Date(clock.nowMs).toISOString();
    const record = {
      ...{ id, url, events: ['*'], description: null, active: true, disabled_reason: null },
      ...{ created_at: at, updated_at: at },
    };
    await database.transaction('service', (tx) =>
      insertRecord(tx, 'webhooks', {
        ...{ account_id: account.id, id, record: JSON.stringify(record), events: '["*"]' },
        secret: secrets.seal(secret, `webhook_secret ${id}`),
        former_secret: former === undefined ? null : secrets.seal(former, `webhook_secret ${id}`),
        former_secret_until_ms: untilMs ?? null,
        ...{ created_ms: clock.nowMs, updated_ms: clock.nowMs, active: 1 },
        ...change,
      }),
    );
    return { id, secret };
  }

  function addEvents(webhookId: string, count: number): Promise<string[]> {
    return database.transaction('service', async (tx) => {
      const ids: string[] = [];
      const { seq, stored_bytes } = (await readLastEvent(tx, account.id)) ?? { seq: 0, stored_bytes: 0 };
      let bytes = stored_bytes;
      for (let number = 0; number < count; number++) {
        const id = createId('event', environment);
        const shared = { account_id: account.id, type: 'webhook.test', created_ms: clock.nowMs } as const;
        const body = JSON.stringify({ id, type: shared.type, data: { object: { note: 'Grüße, 你好 ☎' } } });
        const delivery = { id: createId('delivery', environment), webhook_id: webhookId };
        const last = { seq: seq + number, stored_bytes: bytes };
        await insertEvent(tx, last, { ...shared, id, client_id: null, body }, [delivery]);
        bytes += Buffer.byteLength(body);
        ids.push(id);
      }
      return ids;
    });
  }

  return {
    database,
    accountId: account.id,
    clock,
    secrets,
    logged,
    openAgain,
    addWebhook,
    addEvents,
    createWorker(parts) {
      const worker = createDeliveryWorker({
        ...{ database, environment, secrets, log: { warn: log, error: log }, allowsLoopback: true },
        resolve: async () => ['127.0.0.1'],
        ...parts,
      });
      workers.push(worker);
      return worker;
    },
    readWebhook: async (id) => {
      const [row] = await reader.run<{ record: string }>('select record from webhooks where id = ?', [id]);
      return JSON.parse(row?.record ?? '');
    },
    readDeliveries: (webhookId) =>
      reader.run('select * from deliveries where webhook_id = ? order by event_seq', [webhookId]),
    readAttempts: (deliveryId) =>
      reader.run(
        `select a.* from delivery_attempts as a
          join deliveries as d on d.event_seq = a.event_seq and d.webhook_id = a.webhook_id
          where d.id = ? order by number`,
        [deliveryId],
      ),
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map((worker) => worker.close()));
      await opened[Symbol.asyncDispose]();
    },
  };
}
