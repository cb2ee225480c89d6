import { expect, it } from 'vitest';
import { systemRandom } from '../../../src/client/http/retry.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

it('settings of the salon are read and changed, also only with a tag', async () => {
  const service = await openSharedService();
  const credential = { kind: 'bearer', token: service.keys.owner } as const;
  await using client = openClient(service.origin, { credential, random: systemRandom });
  const { record, etag } = await client.salon.getTagged();
  expect(record).toEqual(await client.salon.get());
  expect(await client.salon.update({ country: 'DE' }, { ifMatch: etag })).toMatchObject({ country: 'DE' });
  const again = client.salon.update({ country: 'FR' }, { ifMatch: etag });
  expect(await refusal(again)).toMatchObject({ code: 'precondition_failed' });
});
