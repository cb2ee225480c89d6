import type { SalonEvent } from '../../src/contract/events.ts';
import type { NewWebhook } from '../../src/contract/webhook.ts';
import type { Database } from '../../src/service/db/database.ts';
import { createWebhook } from '../../src/service/domain/webhooks.ts';
import type { TestSalon } from './salon.ts';

/** Every event of a salon's account except erased ones, oldest first. */
export async function readEvents({ store, accountId }: TestSalon): Promise<SalonEvent[]> {
  const text = 'select body from events where account_id = ? order by seq';
  const rows = await store.database.reader.run<{ body: string | null }>(text, [accountId]);
  return rows.flatMap(({ body }) => (body === null ? [] : JSON.parse(body)));
}

/** The number of events of all accounts. */
export async function countEvents({ reader }: Database): Promise<number> {
  const [row] = await reader.run<{ count: number }>('select count(*) as count from events', []);
  return row?.count ?? 0;
}

/** Adds a webhook and returns its ID. */
export async function addWebhook(salon: TestSalon, body: Partial<NewWebhook> = {}): Promise<string> {
  const { id } = await createWebhook(salon.as(), { url: 'https://shop.example/hook', ...body });
  return id;
}
