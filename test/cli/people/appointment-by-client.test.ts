import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMachine } from '../../support/io.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';

type Row = Record<string, unknown> & { readonly id: number };

let tables: Record<string, Row[]>;
const machine = createMachine({ env: { SALON_API_KEY: 'key' }, now: new Date('2026-11-21T12:00:00Z') });
let server: Awaited<ReturnType<typeof openMisbehavingServer>>;
beforeEach(async () => {
  server = await openMisbehavingServer(answer);
});
afterEach(() => server[Symbol.asyncDispose]());

/** Two clients and an appointment of the second one, who is in some field of it. */
function fill(appointment: object): void {
  const clients = [1, 2].map((id) => ({ id, first_name: `Ana${id}`, last_name: 'Costa' }));
  const row = { id: 5, start_time: '2026-12-01T10:00:00Z', status: 'confirmed', ...appointment };
  tables = { clients, appointments: [row] };
}

function answer({ method, path, body }: Received) {
  const [, noun = '', id] = /^\/v1\/(\w+)(?:\/(\w+))?/.exec(path) ?? [];
  const rows = tables[noun];
  if (rows === undefined) return json({ error: 'not found' }, { status: 404 });
  const sent = body === '' ? {} : JSON.parse(body);
  if (id === undefined && method === 'POST') {
    rows.push({ id: 9, ...sent });
    return json({ id: 9, ...sent }, { status: 201 });
  }
  if (id === undefined) return json({ data: rows, total: rows.length });
  const at = rows.findIndex((row) => String(row.id) === id);
  if (at === -1) return json({ error: 'no such record' }, { status: 404 });
  if (method === 'DELETE') return json(rows.splice(at, 1)[0]);
  if (method !== 'GET') rows[at] = { ...(rows[at] as Row), ...sent };
  return json(rows[at]);
}

function salon(...argv: string[]) {
  return machine.salon(argv, {
    env: {
      SALON_BASE_URL: `${server.origin}/v1`,
      SALON_DIALECT_PAGING: 'none',
      SALON_DIALECT_FIELDS: JSON.stringify({ appointments: { client_id: 'customer_id' } }),
    },
  });
}

describe('an appointment found by its client', () => {
  it('is found by the field that the dialect declares', async () => {
    fill({ customer_id: 2 });
    const ran = await salon('appointments', 'update', 'Ana2', 'Costa', '--notes', 'quiet');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(tables['appointments']).toMatchObject([{ notes: 'quiet' }]);
  });

  it('is never denied where appointments do not show their client', async () => {
    fill({ kunde: 2 });
    const ran = await salon('appointments', 'cancel', 'Ana2', 'Costa', '--yes');
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    expect(ran.stderr).toContain('do not show their client');
  });
});
