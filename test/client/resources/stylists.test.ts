import { describe, expect, it } from 'vitest';
import { collect } from '../../support/collect.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

const named = ['sty_b', 'sty_a', 'sty_b', null];
const appointments = named.map((stylist_id, index) => ({ id: `apt_${index}`, stylist_id }));

/** A server that shows stylists only in its appointments. */
function withoutStylists({ path }: Received) {
  return path === '/api/v1/appointments'
    ? json({ data: appointments, pagination: { page: 1, per_page: 200, total: appointments.length } })
    : json({}, { status: 404 });
}

describe('stylists', () => {
  it('are listed, added and changed', async () => {
    const service = await openSharedService();
    await using client = openClient(service.origin, {
      credential: { kind: 'bearer', token: service.keys.manager },
    });
    const { id = '' } = await client.stylists.create({ first_name: 'Mia' });
    await client.stylists.update(id, { active: false });
    const pages = await collect(client.stylists.list());
    const rows = pages.flatMap((page) => page.rows);
    expect(rows.map((row) => row.id)).toEqual([...service.stylistIds, id]);
    expect(rows.at(-1)).toEqual(await client.stylists.get(id));
    expect(rows.at(-1)).toMatchObject({ first_name: 'Mia', active: false });
  });

  it('are never taken from appointments', async () => {
    await using server = await openMisbehavingServer(withoutStylists);
    await using client = openClient(server.origin);
    expect(await refusal(collect(client.stylists.list()))).toMatchObject({
      code: 'not_supported',
      message: 'This server does not support GET /stylists.',
    });
  });

  it('cannot be added if the server does not support it', async () => {
    await using server = await openMisbehavingServer(withoutStylists);
    await using client = openClient(server.origin);
    expect(await refusal(client.stylists.create({ first_name: 'Mia' }))).toMatchObject({
      code: 'not_supported',
      message: 'This server does not support POST /stylists.',
    });
  });
});
