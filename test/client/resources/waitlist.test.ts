import { expect, it } from 'vitest';
import { systemRandom } from '../../../src/client/http/retry.ts';
import { collect } from '../../support/collect.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService, openTestService } from '../../support/service.ts';

it('entries of the waiting list are added, listed, changed and deleted', async () => {
  const service = await openSharedService();
  const credential = { kind: 'bearer', token: service.keys.manager } as const;
  await using client = openClient(service.origin, { credential, random: systemRandom });
  const { id: client_id = '' } = await client.clients.create({ first_name: 'Ana' });
  const wish = { service: 'Cut', from: '2031-12-01T10:00:00Z', to: '2031-12-01T12:00:00Z' };
  const { id = '', record, etag } = await client.waitlist.create({ client_id, ...wish });
  expect(record).toMatchObject({ client_id, ...wish, status: 'waiting', stylist_id: null });
  const query = { client_id, status: 'waiting', fits_start: wish.from, fits_duration: 120 } as const;
  const [page] = await collect(client.waitlist.list(query));
  expect(page?.rows).toEqual([await client.waitlist.get(id)]);
  const changed = await client.waitlist.update(id, { status: 'offered' });
  expect(changed.record).toMatchObject({ id, status: 'offered' });
  expect(await refusal(client.waitlist.delete(id, { ifMatch: etag }))).toMatchObject({
    code: 'precondition_failed',
  });
  await client.waitlist.delete(id);
  expect(await refusal(client.waitlist.get(id))).toMatchObject({ code: 'not_found' });
});

it('entries that expire while the list is read leave it without a doubt about the others', async () => {
  let now = new Date('2031-12-01T09:00:00Z');
  await using service = await openTestService({ clients: 1, now: () => now });
  const credential = { kind: 'bearer', token: service.keys.manager } as const;
  await using client = openClient(service.origin, { credential, random: systemRandom });
  const { id: client_id = '' } = await client.clients.create({ first_name: 'Ana' });
  const made: string[] = [];
  for (const hour of [10, 11, 10, 11, 10, 11, 11]) {
    const wish = { service: 'Cut', from: '2031-12-01T08:00:00Z', to: `2031-12-01T${hour}:00:00Z` };
    made.push((await client.waitlist.create({ client_id, ...wish })).id ?? '');
  }
  const list = client.waitlist.list({ status: 'waiting' }, { parameters: { per_page: '2' }, concurrency: 1 });
  const found: string[] = [];
  for await (const { rows } of list) {
    found.push(...rows.map(({ id }) => id));
    now = new Date('2031-12-01T10:00:00Z');
  }
  expect(made.filter((_, index) => index % 2 === 1 || index === 6)).toEqual(
    found.filter((id) => ![made[0], made[2], made[4]].includes(id)),
  );
  expect(new Set(found).size).toBe(found.length);
});
