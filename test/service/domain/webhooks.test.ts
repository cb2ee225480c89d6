import { describe, expect, it } from 'vitest';
import { maxWebhooks } from '../../../src/contract/webhook.ts';
import type { RecordRows } from '../../../src/service/db/record-rows.ts';
import { testWebhook } from '../../../src/service/domain/deliveries.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../src/service/domain/webhooks.ts';
import { addWebhook } from '../../support/event-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const url = 'https://shop.example/hook';

/** With opened secrets. */
async function readRow({ store, as }: TestSalon, id: string) {
  const text = 'select * from webhooks where id = ?';
  const [row] = await store.database.reader.run<RecordRows['webhooks']>(text, [id]);
  if (row === undefined) throw new Error(`There is no webhook ${id}.`);
  const open = (sealed: string) => as().secrets.open(sealed, `webhook_secret ${id}`);
  const former = row.former_secret === null ? null : open(row.former_secret);
  return { ...row, secret: open(row.secret), former_secret: former };
}

describe('a new webhook', () => {
  it('is active, receives all events, and shows its secret once', async () => {
    await using salon = await openTestSalon();
    const { secret, ...webhook } = await createWebhook(salon.as(), { url });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      ...{ id: webhook.id, url, events: ['*'], description: null, active: true, disabled_reason: null },
      ...{ created_at: '2026-11-21T12:00:00.000Z', updated_at: '2026-11-21T12:00:00.000Z' },
    });
    expect(await getWebhook(salon.as(), webhook.id)).toEqual(webhook);
    const { dataJson, total } = await listWebhooks(salon.as(), {});
    expect(JSON.parse(dataJson.toString())).toEqual([webhook]);
    expect(total).toBe(1);
  });

  it('is refused with the reason when its address cannot receive webhooks', async () => {
    await using salon = await openTestSalon();
    const context = { ...salon.as(), checkAddress: async (text: string) => `${text} leads nowhere.` };
    await expect(createWebhook(context, { url })).rejects.toMatchObject({
      code: 'validation_failed',
      violations: [{ pointer: '/url', detail: `/url cannot be used. ${url} leads nowhere.` }],
    });
    expect(await listWebhooks(salon.as(), {})).toMatchObject({ total: 0 });
  });

  it('has its address checked outside of a transaction', async () => {
    await using salon = await openTestSalon();
    const checked: string[] = [];
    // Needs a transaction: within another one it would never end.
    const checkAddress = async (text: string) => {
      await salon.addClient();
      checked.push(text);
      return undefined;
    };
    const { id } = await createWebhook({ ...salon.as(), checkAddress }, { url });
    await updateWebhook({ ...salon.as(), checkAddress }, id, { change: { url: `${url}/2` } });
    await updateWebhook({ ...salon.as(), checkAddress }, id, { change: { url: `${url}/2`, active: false } });
    expect(checked).toEqual([url, `${url}/2`]);
  });

  it('is refused when its description contains invalid characters', async () => {
    await using salon = await openTestSalon();
    await expect(createWebhook(salon.as(), { url, description: '\ud800' })).rejects.toMatchObject({
      violations: [{ pointer: '/description' }],
    });
  });

  it(`is refused when there are ${maxWebhooks}, also when many come at once to two processes`, async () => {
    await using salon = await openTestSalon();
    const contexts = [salon.as(), salon.as({ database: await salon.store.openAgain() })];
    const tries = Array.from({ length: 2 * maxWebhooks }, (_, number) => contexts[number % 2] ?? salon.as());
    const results = await Promise.allSettled(tries.map((context) => createWebhook(context, { url })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(maxWebhooks);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'validation_failed', violations: [{ pointer: '', code: 'out_of_range' }] },
    });
    expect(await listWebhooks(salon.as(), {})).toMatchObject({ total: maxWebhooks });
    const neighbour = await salon.openNeighbour();
    await expect(createWebhook(neighbour.as(), { url })).resolves.toBeDefined();
  });
});

describe('a change of a webhook', () => {
  it('changes only the given fields, and applies to the next event', async () => {
    await using salon = await openTestSalon();
    const id = await addWebhook(salon, { description: 'till' });
    const before = await readRow(salon, id);
    const changed = await updateWebhook(salon.as(), id, { change: { events: ['booking.*'] } });
    expect(changed).toMatchObject({ url, events: ['booking.*'], description: 'till', active: true });
    expect(await readRow(salon, id)).toMatchObject({
      secret: before.secret,
      events: '["booking.*"]',
      active: 1,
    });
    await salon.addClient();
    expect(await salon.store.database.reader.run('select * from deliveries', [])).toEqual([]);
  });

  it('without a new value changes neither time nor version', async () => {
    await using salon = await openTestSalon();
    const id = await addWebhook(salon);
    const webhook = await getWebhook(salon.as(), id);
    const { version } = await listWebhooks(salon.as(), {});
    salon.environment.setTime('2026-11-21T13:00:00.000Z');
    expect(await updateWebhook(salon.as(), id, { change: { ...webhook } })).toEqual(webhook);
    expect(await listWebhooks(salon.as(), {})).toMatchObject({ version });
  });

  it('respects If-Match', async () => {
    await using salon = await openTestSalon();
    const id = await addWebhook(salon);
    const stale = ['"2026-01-01T00:00:00.000Z"'];
    const change = { active: false };
    await expect(updateWebhook(salon.as(), id, { change, ifMatch: stale })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    await expect(deleteWebhook(salon.as(), id, { ifMatch: stale })).rejects.toMatchObject({
      code: 'precondition_failed',
    });
    expect(await getWebhook(salon.as(), id)).toMatchObject({ active: true });
  });

  it.each([
    [{ active: true }, null],
    [{ active: false }, 'gone'],
    [{ description: 'x' }, 'gone'],
  ] as const)('%o of one that was switched off leaves as the reason: %s', async (change, reason) => {
    await using salon = await openTestSalon();
    const id = await addWebhook(salon, { active: false });
    const record = JSON.stringify({ ...(await getWebhook(salon.as(), id)), disabled_reason: 'gone' });
    await salon.store.database.transaction('service', (tx) =>
      tx.run('update webhooks set record = ?', [record]),
    );
    const changed = await updateWebhook(salon.as(), id, { change });
    expect(changed.disabled_reason).toBe(reason);
  });
});

describe('a secret', () => {
  it('signs beside the new one for 24 hours after a rotation; older ones do not', async () => {
    await using salon = await openTestSalon();
    const { id, secret: first } = await createWebhook(salon.as(), { url });
    const second = await rotateWebhookSecret(salon.as(), id);
    expect(second).toMatchObject({ id, former_secret_until: '2026-11-22T12:00:00.000Z' });
    expect(await readRow(salon, id)).toMatchObject({
      secret: second.secret,
      former_secret: first,
      former_secret_until_ms: Date.parse('2026-11-22T12:00:00.000Z'),
    });
    const third = await rotateWebhookSecret(salon.as(), id);
    expect(await readRow(salon, id)).toMatchObject({ secret: third.secret, former_secret: second.secret });
    expect(new Set([first, second.secret, third.secret]).size).toBe(3);
  });

  it('of another account is not found', async () => {
    await using salon = await openTestSalon();
    const id = await addWebhook(salon);
    const neighbour = await salon.openNeighbour();
    const before = await readRow(salon, id);
    await expect(rotateWebhookSecret(neighbour.as(), id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await readRow(salon, id)).toEqual(before);
  });
});

it('a deleted webhook loses its pending deliveries, and others keep theirs', async () => {
  await using salon = await openTestSalon();
  const [gone, kept] = [await addWebhook(salon), await addWebhook(salon)];
  await testWebhook(salon.as(), gone);
  await salon.addClient();
  await deleteWebhook(salon.as(), gone);
  await expect(getWebhook(salon.as(), gone)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteWebhook(salon.as(), gone)).rejects.toMatchObject({ code: 'not_found' });
  const rows = await salon.store.database.reader.run('select webhook_id from deliveries', []);
  expect(rows).toEqual([{ webhook_id: kept }]);
});
