import { describe, expect, it } from 'vitest';
import type { QueryOf } from '../../../src/contract/endpoints.ts';
import { listAppointments } from '../../../src/service/domain/appointments.ts';
import { addClient, listClients } from '../../../src/service/domain/clients.ts';
import { openTestSalon } from '../../support/salon.ts';

const people = [
  { first_name: 'Zoë', last_name: 'MÜLLER', email: 'zoe@example.com', phone: '+44 7700 900123' },
  { first_name: '100%', last_name: 'O_Brien', phone: '020-7946-0018' },
  { first_name: 'Анна', last_name: 'Иванова', email: 'anna@example.org' },
];

describe('the filters of clients', () => {
  it.each([
    [{ q: 'müller' }, [0]],
    [{ q: 'zoë mül' }, [0]],
    [{ q: 'EXAMPLE' }, [0, 2]],
    [{ q: 'иван' }, [2]],
    [{ q: '%' }, [1]],
    [{ q: '_' }, [1]],
    [{ q: 'muller zoe' }, [0]],
    [{ q: 'Zoe-Müller' }, [0]],
    [{ q: 'zoe anna' }, []],
    [{ q: 'example zoë' }, [0]],
    [{ q: 'U' }, [0]],
    [{ q: '--' }, []],
    [{ q: '0 9001' }, [0]],
    [{ q: '07700 900' }, [0]],
    [{ q: '(0) 7700' }, [0]],
    [{ q: '0044 7700 900123' }, [0]],
    [{ q: '00447700' }, [0]],
    [{ q: '+33 7700 900123' }, []],
    [{ q: '+44 20 7946 0018' }, [1]],
    [{ q: '0018' }, [1]],
    [{ q: '+44' }, [0]],
    [{ q: `zoe ${'muller '.repeat(27)}` }, [0]],
    [{ q: 'zoë'.repeat(66) }, []],
    [{ q: '+447700' }, [0]],
    [{ q: '100' }, [1]],
    [{ q: "' or 1=1 --" }, []],
    [{ email: 'ZOE@example.com' }, [0]],
    [{ email: 'zoe@example' }, []],
    [{ phone: '+44 (7700) 900-123' }, [0]],
    [{ phone: '02079460018' }, [1]],
    [{ phone: '7700900123' }, []],
    [{ updated_since: '2026-11-21' }, [0, 1, 2]],
    [{ updated_since: '2026-11-22' }, []],
    [{ updated_since: '2026-11-21T13:00:00+01:00' }, [0, 1, 2]],
  ])('%j finds %j', async (query, expected) => {
    await using salon = await openTestSalon();
    const ids: string[] = [];
    for (const body of people) ids.push((await addClient(salon.as(), body)).id);
    const { dataJson, total } = await listClients(salon.as(), query);
    const found: { id: string }[] = JSON.parse(dataJson.toString());
    expect(found.map(({ id }) => ids.indexOf(id))).toEqual(expected);
    expect(total).toBe(expected.length);
  });

  it.each([
    [{ updated_since: 'yesterday' }, 'updated_since'],
    [{ updated_since: '2026-02-29' }, 'updated_since'],
    [{ updated_since: '2026-11-21T12:00:00' }, 'updated_since'],
    [{ phone: 'none' }, 'phone'],
    [{ q: 'a\0' }, 'q'],
  ])('refuse %j', async (query, parameter) => {
    await using salon = await openTestSalon();
    await expect(listClients(salon.as(), query)).rejects.toMatchObject({
      code: 'invalid_parameter',
      violations: [{ parameter, code: 'invalid_format' }],
    });
  });
});

describe('the filters of appointments', () => {
  it.each([
    [{ start_time_from: '2026-12-01' }, 3],
    [{ start_time_from: '2026-12-01T00:00:00.001Z' }, 2],
    [{ start_time_to: '2026-12-01' }, 2],
    [{ start_time_to: '2026-12-02T00:00:00Z' }, 2],
    [{ start_time_from: '2026-12-01', start_time_to: '2026-12-01' }, 2],
    [{ start_time_from: '2026-12-02', start_time_to: '2026-12-01' }, 0],
    [{ status: 'pending' }, 1],
    [{ status: 'pending,confirmed' }, 3],
    [{ client_id: 'cli_none' }, 0],
  ])('%j find %i', async (query, total) => {
    await using salon = await openTestSalon();
    const at = ['2026-12-01T00:00:00Z', '2026-12-01T23:59:59.999Z', '2026-12-02T00:00:00Z'];
    for (const [index, start_time] of at.entries()) {
      await salon.addAppointment({ start_time, status: index === 0 ? 'pending' : 'confirmed' });
    }
    expect((await listAppointments(salon.as(), query)).total).toBe(total);
  });

  it('are refused together, each with its name', async () => {
    await using salon = await openTestSalon();
    const query: QueryOf<'listAppointments'> = {
      status: 'confirmed,maybe',
      start_time_from: '2026-13-01',
      start_time_to: '2026-02-30',
      updated_since: '12:00',
    };
    await expect(listAppointments(salon.as(), query)).rejects.toMatchObject({
      code: 'invalid_parameter',
      violations: Object.keys(query).map((parameter) => ({ parameter, code: 'invalid_format' })),
    });
  });

  it.each(['', 'confirmed,', ' confirmed', 'Confirmed'])('refuse the status %j', async (status) => {
    await using salon = await openTestSalon();
    await expect(listAppointments(salon.as(), { status })).rejects.toMatchObject({
      violations: [{ parameter: 'status', code: 'invalid_format' }],
    });
  });
});

describe('a page', () => {
  it.each([
    [{}, 1, 50],
    [{ page: 3, per_page: 7 }, 3, 7],
    [{ per_page: 9999 }, 1, 200],
    [{ page: Number.MAX_SAFE_INTEGER, per_page: 200 }, Number.MAX_SAFE_INTEGER, 200],
  ])('of the query %j is page %i of %i', async (query, page, perPage) => {
    await using salon = await openTestSalon();
    await salon.addClient();
    expect(await listClients(salon.as(), query)).toMatchObject({ page, perPage, total: 1 });
    expect(await listClients(salon.as(), { ...query, sort: 'last_name' })).toMatchObject({ page, total: 1 });
  });

  it('is empty when an account has no records', async () => {
    await using salon = await openTestSalon();
    const empty = {
      dataJson: Buffer.from('[]'),
      page: 1,
      perPage: 50,
      count: 0,
      total: 0,
      version: 0,
      next: null,
    };
    const lists = [
      await listClients(salon.as(), {}),
      await listAppointments(salon.as(), { sort: '-start_time', status: 'pending' }),
    ];
    for (const list of lists) expect(list).toEqual(empty);
  });
});
