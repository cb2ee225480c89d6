import type { Database } from '../src/service/db/database.ts';
import { insertEvent, readLastEvent } from '../src/service/db/deliveries/events.ts';
import { insertRecord } from '../src/service/db/records/records.ts';
import type { Environment } from '../src/service/domain/context.ts';
import { createId } from '../src/service/domain/records.ts';
import type { Secrets } from '../src/service/secrets/secrets.ts';
import { createWebhookSecret } from '../src/webhooks/signature.ts';

/** An account and where its events go. */
interface Receiving {
  readonly accountId: string;
  readonly environment: Environment;
  readonly secrets: Secrets;
  readonly url: string;
}

/** Registers a webhook for all events and returns its ID. */
export async function addReceiver(
  database: Database,
  { accountId, environment, secrets, url }: Receiving,
): Promise<string> {
  const id = createId('webhook', environment);
  const now = environment.now();
  const at = now.toISOString();
  const webhook = {
    ...{ id, url, events: ['*'], description: null, active: true, disabled_reason: null },
    ...{ created_at: at, updated_at: at },
  };
  const row = {
    ...{ account_id: accountId, id, record: JSON.stringify(webhook), events: '["*"]', active: 1 as const },
    ...{ created_ms: now.getTime(), updated_ms: now.getTime() },
    secret: secrets.seal(createWebhookSecret(environment.random), `webhook_secret ${id}`),
    ...{ former_secret: null, former_secret_until_ms: null },
  };
  await database.transaction('service', (tx) => insertRecord(tx, 'webhooks', row));
  return id;
}

/** Queues events for a webhook. */
export async function addEvents(
  database: Database,
  {
    accountId,
    environment,
    webhookId,
    count,
  }: Omit<Receiving, 'url' | 'secrets'> & { webhookId: string; count: number },
): Promise<void> {
  await database.transaction('service', async (tx) => {
    for (let number = 0; number < count; number++) {
      const id = createId('event', environment);
      const shared = {
        account_id: accountId,
        type: 'webhook.test' as const,
        created_ms: environment.now().getTime(),
      };
      const body = JSON.stringify({ id, type: shared.type, data: { note: 'x'.repeat(400) } });
      const delivery = { id: createId('delivery', environment), webhook_id: webhookId };
      await insertEvent(tx, await readLastEvent(tx, accountId), { ...shared, id, client_id: null, body }, [
        delivery,
      ]);
    }
  });
}
