import { describe, expect, it } from 'vitest';
import type { SalonClient } from '../../../src/client/client.ts';
import type { Fields } from '../../../src/client/json-object.ts';
import type { NewClient } from '../../../src/contract/client.ts';
import { openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openClient, refusal, type TestClient } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';
import { planSheet } from './plan-sheet.ts';

/** The service with the test's clients and the sample's, and a client that counts its requests. */
async function openSalon(bodies: readonly NewClient[] = [], clients = 3) {
  const service = await openSharedService({ clients });
  const client = openClient(service.origin, { credential: { kind: 'bearer', token: service.keys.owner } });
  const made: Fields[] = [];
  for (const [index, body] of bodies.entries()) {
    made.push((await client.clients.create(body, { idempotencyKey: `client-${index}` })).record ?? {});
  }
  const before = countRequests(client);
  return {
    client: client as SalonClient,
    made,
    ids: made.map(({ id }) => String(id)),
    requests: () => countRequests(client) - before,
    async [Symbol.asyncDispose]() {
      await client.close();
    },
  };
}

function countRequests({ events }: TestClient): number {
  return events.filter(({ type }) => type === 'request').length;
}

const ana = { first_name: 'Ana', email: 'ana@x.org', notes: 'likes tea', tags: ['vip'] };
const kim = { first_name: 'Kim', email: 'kim@x.org', phone: '+442079460018' };

describe('an update', () => {
  it('changes the differing fields and keeps the previous record', async () => {
    await using salon = await openSalon([ana, kim]);
    const [one = '', two = ''] = salon.ids;
    const cells = [
      { id: one, first_name: 'Anna', notes: '\\N', email: '', updated_at: '2020-01-01' },
      { id: two, first_name: 'Kim', notes: '', email: 'kim@x.org' },
    ];
    const { rows } = await planSheet(salon.client, {}, cells);
    expect(rows).toEqual([
      {
        row: 1,
        line: 2,
        act: 'update',
        id: one,
        change: { first_name: 'Anna', notes: null },
        before: salon.made[0],
        cells: cells[0],
        isOverwriting: true,
      },
      { row: 2, line: 3, act: 'none', id: two },
    ]);
  });

  it('matches by another field without changing it', async () => {
    await using salon = await openSalon([ana, kim]);
    const { rows } = await planSheet(salon.client, { match: 'email' }, [
      { email: ' KIM@x.org', first_name: 'Kimberley' },
      { email: 'ana@X.org', first_name: 'Ana' },
    ]);
    expect(rows).toMatchObject([
      { act: 'update', id: salon.ids[1], change: { first_name: 'Kimberley' } },
      { act: 'none', id: salon.ids[0] },
    ]);
  });

  it.each([
    ['no such record', 'id', [{ id: 'cli_9' }], ['not_found: No client with ID cli_9.']],
    ['an invalid ID', 'id', [{ id: '../me' }], ['not_found: No client with ID ../me.']],
    ['a row without a key', 'id', [{ id: '' }], ['not_found: The row has no id.']],
    [
      'a key without a record',
      'email',
      [{ email: 'no@x.org' }],
      ['not_found: No client with email no@x.org.'],
    ],
    [
      'the same record twice',
      'email',
      [{ email: 'Ana@x.org' }, { email: 'ana@x.org' }],
      Array(2).fill('ambiguous: Lines 2 and 3 are for the same client.'),
    ],
  ] as const)('refuses %s', async (_name, match, cells, reasons) => {
    await using salon = await openSalon([ana]);
    const { rows } = await planSheet(salon.client, { match }, cells);
    expect(rows.map(({ act, refusal: why }) => `${act} ${why?.code}: ${why?.reason}`)).toEqual(
      reasons.map((reason) => `refused ${reason}`),
    );
    expect(rows.map((row) => row.cells)).toEqual(cells);
  });

  it.each([0, 3])(
    'refuses a row that names two records, and says which (with %i more rows)',
    async (more) => {
      await using salon = await openSalon([ana, { ...kim, email: 'ana@x.org' }]);
      const others = Array.from({ length: more }, (_, index) => ({ email: `${index}@x.org` }));
      const { rows } = await planSheet(salon.client, { match: 'email' }, [{ email: 'ana@x.org' }, ...others]);
      expect(rows[0]).toMatchObject({
        act: 'refused',
        id: null,
        refusal: {
          code: 'ambiguous',
          reason: `More than one client with email ana@x.org: ${salon.ids.join(' and ')}.`,
        },
      });
    },
  );

  it('reads the list if that is cheaper, with one request more', async () => {
    await using salon = await openSalon([], 1_000);
    const ids: string[] = [];
    for await (const { rows } of salon.client.clients.list()) ids.push(...rows.map(({ id }) => id));
    const before = salon.requests();
    const cells = ids.toReversed().map((id) => ({ id, notes: 'new' }));
    const { rows, records } = await planSheet(salon.client, {}, [...cells, { id: 'cli_none', notes: 'new' }]);
    expect(salon.requests() - before).toBe(2);
    expect(records).toBe(1_000);
    expect(rows.map(({ id }) => id)).toEqual([...ids.toReversed(), 'cli_none']);
    expect(rows.filter(({ act }) => act === 'update')).toHaveLength(1_000);
    expect(rows.at(-1)?.refusal?.reason).toBe('No client with ID cli_none.');
  });
});

describe('a delete', () => {
  it('keeps the record', async () => {
    await using salon = await openSalon([ana]);
    const cells = { id: salon.ids[0] };
    const { rows } = await planSheet(salon.client, { verb: 'delete' }, [cells]);
    expect(rows).toEqual([
      { row: 1, line: 2, act: 'delete', id: salon.ids[0], before: salon.made[0], cells },
    ]);
  });
});

describe('a create', () => {
  it('needs no request', async () => {
    await using salon = await openSalon();
    const cells = { id: 'cli_old', first_name: 'Ana', notes: '', tags: ['vip'] };
    const { rows } = await planSheet(salon.client, { verb: 'create' }, [cells]);
    expect(rows).toEqual([
      { row: 1, line: 2, act: 'create', id: null, change: { first_name: 'Ana', tags: ['vip'] }, cells },
    ]);
    expect(salon.requests()).toBe(0);
  });
});

describe('planning', () => {
  it("throws the server's error", async () => {
    await using server = await openMisbehavingServer(() => problem(403, 'permission_denied'));
    await using client = openClient(server.origin);
    const planned = planSheet(client, {}, [{ id: 'cli_1' }]);
    expect((await refusal(planned)).code).toBe('permission_denied');
  });
});
