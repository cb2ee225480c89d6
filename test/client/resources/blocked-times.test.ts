import { expect, it } from 'vitest';
import { systemRandom } from '../../../src/client/http/retry.ts';
import { collect } from '../../support/collect.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

const hours = { start_time: '2031-12-01T10:00:00Z', end_time: '2031-12-01T12:00:00Z' };

it('blocked times are added, listed, changed and deleted', async () => {
  const service = await openSharedService();
  const credential = { kind: 'bearer', token: service.keys.manager } as const;
  await using client = openClient(service.origin, { credential, random: systemRandom });
  const { id = '', record, etag } = await client.blockedTimes.create({ stylist_id: null, ...hours });
  expect(record).toMatchObject({ reason: 'other', affected_appointment_ids: [], affected_count: 0 });
  const [page] = await collect(client.blockedTimes.list({ from: '2031-12-01', to: '2031-12-01' }));
  expect(page?.rows).toEqual([await client.blockedTimes.get(id)]);
  const changed = await client.blockedTimes.update(id, { reason: 'holiday' });
  expect(changed.record).toMatchObject({ id, reason: 'holiday', affected_count: 0 });
  expect(await refusal(client.blockedTimes.delete(id, { ifMatch: etag }))).toMatchObject({
    code: 'precondition_failed',
  });
  await client.blockedTimes.delete(id);
  expect(await refusal(client.blockedTimes.get(id))).toMatchObject({ code: 'not_found' });
});
