import { expect, it } from 'vitest';
import { systemRandom } from '../../../src/client/http/retry.ts';
import { collect } from '../../support/collect.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

it('services are added, listed, changed and deleted', async () => {
  const service = await openSharedService();
  const credential = { kind: 'bearer', token: service.keys.manager } as const;
  await using client = openClient(service.origin, { credential, random: systemRandom });
  const { id = '', record, etag } = await client.services.create({ name: 'Cut', duration: 30 });
  expect(record).toMatchObject({ name: 'Cut', price: null, active: true });
  const [page] = await collect(client.services.list());
  expect(page?.rows).toEqual([await client.services.get(id)]);
  expect(await client.services.update(id, { duration: 45 })).toMatchObject({ record: { duration: 45 } });
  expect(await refusal(client.services.delete(id, { ifMatch: etag }))).toMatchObject({
    code: 'precondition_failed',
  });
  expect(await refusal(client.services.create({ name: 'CUT', duration: 10 }))).toMatchObject({
    code: 'validation_failed',
    violations: [{ pointer: '/name', code: 'taken' }],
  });
  await client.services.delete(id);
  expect(await refusal(client.services.get(id))).toMatchObject({ code: 'not_found' });
});

it.each([
  ['negative', -1],
  ['fractional', 45.5],
  ['a text', '45'],
  ['too large', 1e13],
])('a price that is %s is refused', async (_what, price) => {
  const service = await openSharedService();
  const credential = { kind: 'bearer', token: service.keys.manager } as const;
  await using client = openClient(service.origin, { credential, random: systemRandom });
  const body = { name: 'Cut', duration: 30, price };
  expect(await refusal(client.services.create(body))).toMatchObject({
    code: 'validation_failed',
    violations: [{ pointer: '/price' }],
  });
});
