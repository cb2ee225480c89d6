import { describe, expect, it } from 'vitest';
import { type ClaimRequest, claimDeliveries } from '../../../../src/service/db/deliveries/delivery-claims.ts';
import { readQueues } from '../../../../src/service/db/deliveries/delivery-queue.ts';
import type { Writer } from '../../../../src/service/db/engine.ts';
import type { SqlValue } from '../../../../src/service/db/rows.ts';
import { openWebhookSalon, type WebhookSalon } from '../../../support/webhook-salon.ts';

const leaseMs = 30_000;

describe('a queue of deliveries', () => {
  it('is read by an index: no more rows than are claimed', async () => {
    await using salon = await openWebhookSalon();
    const { id } = await salon.addWebhook('http://127.0.0.1:9');
    await salon.addEvents(id, 100);
    const plan = await explain(salon, id);
    expect(plan.filter((step) => /^SCAN (d|e|deliveries|events)\b|TEMP B-TREE FOR ORDER/.test(step))).toEqual(
      [],
    );
    expect(plan).toContain(
      'SEARCH d USING INDEX deliveries_due (account_id=? AND webhook_id=? AND attempts=? AND next_ms<?)',
    );
    for (const step of ['account_id>?', 'account_id=? AND webhook_id>?']) {
      expect(plan).toContain(`SEARCH d USING COVERING INDEX deliveries_due (${step})`);
    }
    expect(plan).toContain(
      'SEARCH deliveries USING COVERING INDEX deliveries_leased (account_id=? AND webhook_id=? AND leased_until_ms>?)',
    );
  });
});

/** The query plans of reading the queues and of a claim. */
async function explain(
  { database, accountId, clock: { nowMs } }: WebhookSalon,
  webhookId: string,
): Promise<string[]> {
  const queries: { readonly text: string; readonly values: readonly SqlValue[] }[] = [];
  await readQueues({
    run: (text, values) => {
      queries.push({ text, values });
      return database.reader.run(text, values);
    },
  });
  const request: ClaimRequest = {
    accountId,
    webhookId,
    nowMs,
    leasedUntilMs: nowMs + leaseMs,
    maxInFlight: 8,
    limit: 8,
  };
  return database.transaction('service', async (tx) => {
    const run: Writer['run'] = (text, values) => {
      queries.push({ text, values });
      return tx.run(text, values);
    };
    await claimDeliveries({ run } as Writer, 'sqlite', request);
    const steps: string[] = [];
    for (const { text, values } of queries) {
      const plan = await tx.run<{ detail: string }>(`explain query plan ${text}`, values);
      steps.push(...plan.map(({ detail }) => detail));
    }
    return steps;
  });
}
