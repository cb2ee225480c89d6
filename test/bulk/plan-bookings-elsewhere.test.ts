import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createBulkEdits } from '../../src/bulk/bulk-edits.ts';
import { parseDialect } from '../../src/client/dialect/parse-dialect.ts';
import { collect } from '../support/collect.ts';
import { openClient } from '../support/open-client.ts';
import { easyAppointments } from '../support/servers/easy-appointments.ts';
import { openFolder } from './plan/sample-plan.ts';

it('books one by one in order on a server of another kind, which is asked for nothing that it has not', async () => {
  await using server = await easyAppointments.open();
  const dialect = parseDialect({ extends: 'easyappointments', prefix: easyAppointments.addresses.prefix });
  await using client = openClient(server.baseUrl, { dialect, timeZone: 'Europe/Berlin' });
  await using folder = await openFolder();
  const edits = createBulkEdits({ client, folder: join(folder.path, 'jobs') });
  const bookings = ['03', '10', '17'].map((day) => ({
    ...{ client_id: '1', stylist_id: '2', service: '1', duration: 60 },
    start_time: `2031-03-${day}T10:00:00Z`,
  }));
  const before = server.received.length;
  await using planned = await edits.planBookings(bookings, { name: 'Ana', onConflict: 'refuse' });
  const { id, tally, stop } = await edits.apply(planned);
  expect({ tally, stop }).toMatchObject({ tally: { done: 3 }, stop: undefined });
  const sent = server.received.slice(before).filter(({ method }) => method === 'POST');
  expect(sent.map(({ path, body }) => [path.split('/').at(-1), JSON.parse(body).start])).toEqual([
    ['appointments', '2031-03-03 11:00:00'],
    ['appointments', '2031-03-10 11:00:00'],
    ['appointments', '2031-03-17 11:00:00'],
  ]);
  expect(server.received.slice(before).map(({ path }) => path)).not.toContainEqual(
    expect.stringMatching(/batch|\/me$/),
  );
  expect((await collect(edits.results(id))).map(({ result }) => result)).toEqual([
    'created',
    'created',
    'created',
  ]);
});
