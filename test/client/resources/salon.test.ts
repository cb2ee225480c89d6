import { expect, it } from 'vitest';
import { systemRandom } from '../../../src/client/http/retry.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openTestService } from '../../support/service.ts';

it('settings of the salon are read and changed, also only with a tag', async () => {
  await using service = await openTestService();
  const credential = { kind: 'bearer', token: service.keys.owner } as const;
  await using client = openClient(service.origin, { credential, random: systemRandom });
  const { record, etag } = await client.salon.getTagged();
  expect(record).toEqual(await client.salon.get());
  expect(await client.salon.update({ country: 'DE' }, { ifMatch: etag })).toMatchObject({ country: 'DE' });
  const again = client.salon.update({ country: 'FR' }, { ifMatch: etag });
  expect(await refusal(again)).toMatchObject({ code: 'precondition_failed' });
});

it('settings of a server that has something else there are refused', async () => {
  await using server = await openMisbehavingServer(() => json({ id: 1, name: 'Lumen' }));
  await using client = openClient(server.origin);
  expect(await refusal(client.salon.get())).toMatchObject({ code: 'unexpected_response' });
  expect(await refusal(client.salon.update({ phone: null }))).toMatchObject({
    message: expect.stringContaining('The PATCH may have succeeded.'),
  });
});
