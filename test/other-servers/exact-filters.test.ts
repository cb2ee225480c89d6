import { describe, expect, it } from 'vitest';
import { json } from '../support/misbehaving-server.ts';
import { clientsOf, openRecordServer } from './record-server.ts';

/** A server that compares every parameter with the stored value, as Sails on PostgreSQL does. */
function openExact() {
  const paging = ['page', 'per_page', 'sort', 'limit', 'offset'];
  return openRecordServer({
    records: { clients: clientsOf(40) },
    list(rows, { query }) {
      const filters = [...query].filter(([name]) => !paging.includes(name));
      const found = rows.filter((row) => filters.every(([name, value]) => String(row[name]) === value));
      const size = Number(query.get('per_page') ?? 20);
      const start = (Number(query.get('page') ?? 1) - 1) * size;
      return json({ data: found.slice(start, start + size), total: found.length });
    },
  });
}

describe('a filter of a server that finds only what is stored exactly so', () => {
  it.each([
    ['--email', 'P3@X.example'],
    ['--phone', '030/1000002'],
    ['--phone', '0301000002'],
  ])('%s %s finds the client', async (flag, value) => {
    await using server = await openExact();
    const ran = await server.salon(['clients', 'list', flag, value, '--json']);
    expect([ran.exitCode, JSON.parse(ran.stdout)], ran.stderr).toMatchObject([0, [{ id: 3 }]]);
    expect((await server.salon(['clients', 'list', flag, value, '--strict', '--json'])).stdout).toBe(
      ran.stdout,
    );
  });

  it('selects the client for a change', async () => {
    await using server = await openExact();
    const update = ['clients', 'update', '--email', 'P3@X.example', '--set', 'notes=x', '--yes'];
    const ran = await server.salon(update);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(server.sent()).toMatchObject([{ notes: 'x' }]);
  });

  it('is believed where the value is written like those it finds', async () => {
    await using server = await openExact();
    const ran = await server.salon(['clients', 'list', '--email', 'nobody@x.example', '--strict', '--json']);
    expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([0, '[]\n', '']);
    expect(server.received.length).toBeLessThan(6);
  });
});
