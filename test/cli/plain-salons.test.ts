import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMachine, type Machine } from '../support/io.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
} from '../support/misbehaving-server.ts';

const appointments = [
  { id: 'apt_1', stylist_id: 'sty_b', status: 'confirmed' },
  { id: 'apt_2', stylist_id: 'sty_a', status: 'confirmed' },
];

/** A server with only the documented list of appointments. */
function documented({ method, path }: Received) {
  return method === 'GET' && path === '/api/v1/appointments'
    ? json({ data: appointments, pagination: { page: 1, per_page: 200, total: 2 } })
    : json({}, { status: 404 });
}

let machine: Machine;
let server: MisbehavingServer;
beforeAll(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: '.', SALON_CONFIG_DIR: 'config' } });
  server = await openMisbehavingServer(documented);
});
afterAll(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

function salon(line: string) {
  return machine.salon(line.split(' '), { env: { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k' } });
}

describe('a server with only the documented endpoints', () => {
  it.each([
    ['stylists list', 'GET /stylists', "\n  Use the server's own tools"],
    ['stylists create --set first_name=Mia', 'POST /stylists', "\n  Use the server's own tools"],
    ['payments list', 'GET /payments', ''],
    ['payments record --amount 4 --currency EUR --method cash', 'POST /payments', ''],
    ['payments refund pay_1 --yes', 'GET /payments/:id', ''],
    ['appointments update apt_1 --status arrived', 'PUT /appointments/:id', ''],
    [
      'appointments cancel apt_1',
      'POST /appointments/:id/cancel',
      'Try: salon appointments update apt_1 --status cancelled',
    ],
    ['audit', 'GET /audit-log', "Use the server's own tools"],
    ['webhooks list', 'GET /webhooks', ''],
    ['webhooks create https://example.com --secret-file secret', 'POST /webhooks', ''],
    ['webhooks update whk_1 --inactive', 'GET /webhooks/:id', ''],
    ['webhooks delete whk_1 --yes', 'GET /webhooks/:id', ''],
    ['webhooks rotate whk_1', 'POST /webhooks/:id/rotate-secret', ''],
    ['webhooks test whk_1', 'POST /webhooks/:id/test', ''],
    ['webhooks deliveries whk_1', 'GET /webhooks/whk_1/deliveries', ''],
    ['webhooks redeliver dlv_1', 'POST /deliveries/:id/redeliver', ''],
  ])('does not support: salon %s', async (line, missing, hint) => {
    const ran = await salon(line);
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain(`error: This server does not support ${missing}.`);
    expect(ran.stderr).toContain(hint);
  });

  it('warns that a calendar cannot find stylists by name', async () => {
    const ran = await salon('appointments calendar --stylist Mia --json');
    expect(ran).toMatchObject({ exitCode: 0, stdout: '[]\n' });
    expect(ran.stderr).toContain(
      'No appointments for stylist ID "Mia". This server does not list stylists, so names cannot be used.',
    );
  });

  it('previews a change anyway', async () => {
    const ran = await salon('appointments update apt_1 --status arrived --dry-run -f csv');
    expect(ran).toMatchObject({ exitCode: 0, stdout: 'field,old,new\nstatus,confirmed,arrived\n' });
  });
});
