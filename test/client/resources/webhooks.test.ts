import { describe, expect, it } from 'vitest';
import type { SalonClient } from '../../../src/client/client.ts';
import { systemRandom } from '../../../src/client/http/retry.ts';
import { eventPatterns, eventTypes } from '../../../src/contract/events.ts';
import { collect } from '../../support/collect.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

interface Missing {
  readonly endpoint: string;
  readonly act: (webhooks: SalonClient['webhooks']) => Promise<unknown>;
}

const missing: readonly Missing[] = [
  { endpoint: 'POST /webhooks', act: (webhooks) => webhooks.create({ url: 'https://example.com' }) },
  { endpoint: 'GET /webhooks', act: (webhooks) => collect(webhooks.list()) },
  { endpoint: 'GET /webhooks/:id', act: (webhooks) => webhooks.get('whk_1') },
  { endpoint: 'GET /webhooks/:id', act: (webhooks) => webhooks.update('whk_1', { active: false }) },
  { endpoint: 'DELETE /webhooks/:id', act: (webhooks) => webhooks.delete('whk_1') },
  { endpoint: 'POST /webhooks/:id/test', act: (webhooks) => webhooks.test('whk_1') },
  { endpoint: 'POST /webhooks/:id/rotate-secret', act: (webhooks) => webhooks.rotateSecret('whk_1') },
  { endpoint: 'GET /webhooks/whk_1/deliveries', act: (webhooks) => collect(webhooks.deliveries('whk_1')) },
  { endpoint: 'POST /deliveries/:id/redeliver', act: (webhooks) => webhooks.redeliver('dlv_1') },
  {
    endpoint: 'POST /webhooks/:id/redeliver',
    act: (webhooks) => webhooks.redeliverSome('whk_1', { created_from: '2026-11-21' }),
  },
  { endpoint: 'GET /webhooks/event-types', act: (webhooks) => webhooks.eventTypes() },
];

describe('webhooks', () => {
  it('are created, changed, rotated, tested and deleted', async () => {
    const service = await openSharedService();
    const credential = { kind: 'bearer', token: service.keys.manager } as const;
    await using client = openClient(service.origin, { credential, random: systemRandom });
    const { webhooks } = client;
    expect(await webhooks.eventTypes()).toEqual({ types: eventTypes, patterns: eventPatterns });
    const { id = '', record, etag } = await webhooks.create({ url: 'http://127.0.0.1:9/hook' });
    await webhooks.update(id, { description: 'Till' });
    expect(await refusal(webhooks.update(id, { active: false }, { ifMatch: etag }))).toMatchObject({
      code: 'precondition_failed',
    });
    const { secret: _, ...shown } = record ?? { secret: '' };
    const present = await webhooks.get(id);
    expect(present).toEqual({ ...shown, description: 'Till', updated_at: present.updated_at });
    expect((await webhooks.rotateSecret(id)).secret).not.toBe(record?.secret);
    const sent = [await webhooks.test(id), await webhooks.test(id), await webhooks.test(id)];
    const pages = await collect(webhooks.deliveries(id, { per_page: 2 }));
    expect(pages.flatMap(({ rows }) => rows.map((row) => row.id))).toEqual(sent.map((one) => one.id));
    const [first] = sent;
    expect(await webhooks.redeliver(first?.id ?? '')).toMatchObject({ id: first?.id, status: 'pending' });
    const range = { created_from: first?.created_at ?? '' };
    // A delivery that is being sent is left alone.
    await expect.poll(() => webhooks.redeliverSome(id, range)).toEqual({ redelivered: 3 });
    await webhooks.delete(id);
    expect((await collect(webhooks.list())).flatMap(({ rows }) => rows)).toEqual([]);
  });
});

describe('a server without webhooks', () => {
  it.each(missing)('does not support $endpoint', async ({ endpoint, act }) => {
    await using server = await openMisbehavingServer(() => json({}, { status: 404 }));
    await using client = openClient(server.origin);
    expect(await refusal(act(client.webhooks))).toMatchObject({
      code: 'not_supported',
      message: `This server does not support ${endpoint}.`,
    });
    expect(client.events.filter(({ type }) => type === 'warning')).toEqual([]);
  });
});

describe('an ID that would reach another path', () => {
  it.each([
    { name: 'deliveries', act: (webhooks: SalonClient['webhooks']) => webhooks.deliveries('..') },
    { name: 'delete', act: (webhooks: SalonClient['webhooks']) => webhooks.delete('..') },
    { name: 'redeliver', act: (webhooks: SalonClient['webhooks']) => webhooks.redeliver('a/b') },
  ])('is rejected by $name before anything is sent', async ({ act }) => {
    await using server = await openMisbehavingServer(() => json({}));
    await using client = openClient(server.origin);
    expect(await refusal((async () => act(client.webhooks))())).toMatchObject({ code: 'usage' });
    expect(server.received).toEqual([]);
  });
});
