import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { json, openMisbehavingServer, type Received, type Reply } from '../../support/misbehaving-server.ts';

let world: EditWorld;
let ids: Record<'ana' | 'bo' | 'twin' | 'zelda' | 'xaver', string>;

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
  const { clients, stylists } = world.client;
  const add = async (first_name: string, last_name: string, contact: object) =>
    (await clients.create({ first_name, last_name, ...contact })).id ?? '';
  ids = {
    ana: await add('Ana', 'Costa', { email: 'ana@example.com', phone: '+442079460018' }),
    bo: await add('Zoë', 'Müller', { email: 'zoe@example.com', phone: '+491711234567' }),
    twin: await add('Ana', 'COSTA', { phone: '+33639981111' }),
    zelda: (await stylists.create({ first_name: 'Zelda', last_name: 'Quill' })).id ?? '',
    xaver: (await stylists.create({ first_name: 'Xaver', last_name: 'Quill' })).id ?? '',
  };
});
afterEach(() => world[Symbol.asyncDispose]());

async function bookings() {
  const rows: { client_id: string; stylist_id: string }[] = [];
  for await (const page of world.client.appointments.list()) rows.push(...page.rows);
  return rows.map(({ client_id, stylist_id }) => [client_id, stylist_id]);
}

const when = (hour: number) => `Cut,2040-01-02T${hour}:00:00Z,30`;

describe('a sheet of appointments', () => {
  it('names clients and stylists', async () => {
    const rows = [
      `muller zoe,Zelda,${when(10)}`,
      `ANA@example.com,Xaver Quill,${when(10)}`,
      `0171 1234567,${ids.xaver},${when(11)}`,
      `${ids.twin},quill zelda,${when(12)}`,
    ];
    world.write('new.csv', `Client,stylist_name,Service,Start,Duration\n${rows.join('\n')}\n`);
    const dry = await world.salon(['appointments', 'create', '--file', 'new.csv', '--dry-run', '--json']);
    const planned: { name: string; field: string; new: unknown }[] = JSON.parse(dry.stdout);
    expect(planned.filter(({ field }) => field === 'client_id')).toMatchObject([
      { name: 'Zoë Müller', new: ids.bo },
      { name: 'Ana Costa', new: ids.ana },
      { name: 'Zoë Müller', new: ids.bo },
      { name: 'Cut', new: ids.twin },
    ]);
    const ran = await world.salon(['appointments', 'create', '--file', 'new.csv', '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('client "Zoë Müller", stylist "Zelda Quill"');
    expect(await bookings()).toEqual([
      [ids.bo, ids.zelda],
      [ids.ana, ids.xaver],
      [ids.bo, ids.xaver],
      [ids.twin, ids.zelda],
    ]);
  });

  it('lasts as long as its service where it does not say how long', async () => {
    await world.client.services.create({ name: 'Balayage', duration: 150 });
    const rows = ['2040-01-02T10:00:00Z,balayage,', '2040-01-02T14:00:00Z,Balayage,45'];
    const lines = rows.map((row) => `ana@example.com,Zelda,${row}`).join('\n');
    world.write('new.csv', `client,stylist,start_time,service,duration\n${lines}\n`);
    const ran = await world.salon(['appointments', 'create', '--file', 'new.csv', '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('duration: 1 appointment without one, taken from the service');
    expect(ran.stderr).toContain('duration "150"');
    const booked: number[] = [];
    for await (const page of world.client.appointments.list())
      booked.push(...page.rows.map(({ duration }) => duration));
    expect(booked).toEqual([150, 45]);
  });

  it('may have no column of durations, but services that the salon has', async () => {
    await world.client.services.create({ name: 'Balayage', duration: 150 });
    const at = (hour: number, service: string) => `Zoë Müller,Zelda,2040-01-02T${hour}:00:00Z,${service}\n`;
    world.write('new.csv', `client,stylist,start_time,service\n${at(10, 'Balayage')}${at(15, 'Perm')}`);
    const create = ['appointments', 'create', '--file', 'new.csv', '--yes'];
    const refused = await world.salon(create);
    expect(refused).toMatchObject({ exitCode: 2 });
    expect(refused.stderr).toContain('A new record needs a duration. The list of services has no "Perm".');
    expect(refused.stderr).not.toContain('new.csv:2');
    world.write('new.csv', `client,stylist,start_time,service\n${at(10, 'Balayage')}`);
    expect(await world.salon(create)).toMatchObject({ exitCode: 0 });
  });

  it('is reported with whom to call, a sheet of clients as before', async () => {
    const rows = [`zoe@example.com,Zelda,${when(10)}`, `${ids.twin},Xaver,${when(10)}`];
    world.write('new.csv', `client_email,stylist_name,Service,Start,Duration\n${rows.join('\n')}\n`);
    const readResults = async (line: string) => {
      const { stdout } = await world.salon([...line.split(' '), '--yes', '--json']);
      return world.readText(JSON.parse(stdout).results).trimEnd().split('\r\n');
    };
    const created = await readResults('appointments create --file new.csv');
    expect(created[0]).toMatch(/,request_id,client_name,client_phone,client_email$/);
    expect(created[1]).toMatch(/,Zoë Müller,'\+491711234567,zoe@example.com$/);
    expect(created[2]).toMatch(/,Ana COSTA,'\+33639981111,$/);
    const [id] = (await bookings())[0] ?? [];
    const cancelled = await readResults(`appointments cancel --where-client ${id}`);
    expect(cancelled[1]).toMatch(/,Zoë Müller,'\+491711234567,zoe@example.com$/);
    world.write('clients.csv', `id,notes\n${ids.ana},new\n`);
    expect((await readResults('clients update --file clients.csv'))[0]).toMatch(/,request_id$/);
  });

  it('is refused with the line and column of whoever is unknown or ambiguous', async () => {
    const rows = [
      `Ana Costa,Zelda,${when(10)}`,
      `Nobody,Quill,${when(10)}`,
      `a/b,${ids.ana},${when(11)}`,
      `zoe@example.com,Zelda,${when(11)}`,
    ];
    world.write('new.csv', `client,stylist,service,start_time,duration\n${rows.join('\n')}\n`);
    const ran = await world.salon(['appointments', 'create', '--file', 'new.csv', '--yes', '--json']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    const error = JSON.parse(ran.stderr.slice(ran.stderr.indexOf('{')));
    expect(error.errors).toEqual([
      {
        parameter: 'new.csv:2:client_id',
        code: 'ambiguous',
        detail: `More than one client matches "Ana Costa": Ana Costa (ana@example.com, ${ids.ana}), Ana COSTA (+33639981111, ${ids.twin}).`,
      },
      { parameter: 'new.csv:3:client_id', code: 'not_found', detail: 'No client matches "Nobody".' },
      { parameter: 'new.csv:3:stylist_id', code: 'not_found', detail: 'No stylist matches "Quill".' },
      { parameter: 'new.csv:4:client_id', code: 'not_found', detail: 'No client matches "a/b".' },
      {
        parameter: 'new.csv:4:stylist_id',
        code: 'invalid_value',
        detail: 'Is the ID of another kind of record (client).',
      },
    ]);
    expect(await bookings()).toEqual([]);
  });

  it('ignores the names beside IDs, and keeps the IDs of an export', async () => {
    const row = `${ids.ana},Somebody,${ids.zelda},${when(10)}`;
    world.write('new.csv', `client_id,client_name,stylist_id,service,start_time,duration\n${row}\n`);
    const ran = await world.salon(['appointments', 'create', '--file', 'new.csv', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('client_name is not read: client_id says who is meant.');
    expect(await bookings()).toEqual([[ids.ana, ids.zelda]]);
  });
});

describe('a sheet of clients', () => {
  it('does not say that an ID of no column decides who is meant', async () => {
    world.write('gone.csv', `id,first_name\n${ids.bo},Bo\n`);
    const ran = await world.salon(['clients', 'delete', '--file', 'gone.csv', '--dry-run']);
    expect(ran.stderr).toContain('gone.csv: ');
    expect(ran.stderr).not.toContain('says who is meant');
  });

  it('names preferred stylists, and a current one leaves a client unchanged', async () => {
    world.write('who.csv', `email,Preferred stylist\nana@example.com,Zelda\nzoe@example.com,Xaver\n`);
    const update = ['clients', 'update', '--file', 'who.csv', '--match', 'email', '--yes', '--json'];
    const first = JSON.parse((await world.salon(update)).stdout);
    expect(first).toMatchObject({ done: 2 });
    expect((await world.client.clients.get(ids.bo)).preferred_stylist_id).toBe(ids.xaver);
    const again = await world.salon(update);
    expect(again.stderr).toContain('2 unchanged');
    // Another Zelda: whoever has the first one keeps her.
    await world.client.stylists.create({ first_name: 'Zelda', last_name: 'Other' });
    const third = await world.salon(update);
    expect(third).toMatchObject({ exitCode: 0 });
    expect(third.stderr).toContain('2 unchanged');
  });
});

/** A server of another kind with numbered clients, and bookings. */
function elsewhere(booked: unknown[]) {
  const clients = [
    { id: 17, name: 'Ana Costa', phone: '0171 1234567' },
    { id: 18, name: 'Bo Lee' },
  ];
  return ({ method, path, query, body }: Received): Reply => {
    const list = (data: readonly unknown[]) =>
      json({
        data: query.get('page') === '2' ? [] : data,
        pagination: { page: 1, per_page: 200, total: data.length },
      });
    if (path.endsWith('/clients')) return list(clients);
    if (path.endsWith('/stylists')) return list([{ id: 5, name: 'Mia' }]);
    if (!path.endsWith('/appointments')) return json({ message: 'not found' }, { status: 404 });
    if (method === 'GET') return list(booked);
    booked.push({ id: booked.length + 1, ...JSON.parse(body) });
    return json(booked.at(-1), { status: 201 });
  };
}

describe('a sheet for another server', () => {
  it('needs durations where no list of services tells them', async () => {
    const booked: unknown[] = [];
    await using server = await openMisbehavingServer(elsewhere(booked));
    world.write('new.csv', 'client,stylist,service,start_time\n17,5,Cut,2040-01-02T10:00:00Z\n');
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DIALECT_PAGING: 'page' };
    const ran = await world.salon(['appointments', 'create', '--file', 'new.csv', '--yes'], { env });
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('needs a duration. This server has no list of services');
    expect(booked).toEqual([]);
  });

  it('names people, and has IDs that are written as the server writes them', async () => {
    const booked: { client_id: unknown; stylist_id: unknown }[] = [];
    await using server = await openMisbehavingServer(elsewhere(booked));
    const rows = [
      `+49 171 1234567,mia,${when(10)}`,
      `18,5,${when(11)}`,
      `lee bo,MIA,${when(12)}`,
      `99,5,${when(13)}`,
    ];
    world.write('new.csv', `client,stylist,service,start_time,duration\n${rows.join('\n')}\n`);
    const env = { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DIALECT_PAGING: 'page' };
    const ran = await world.salon(['appointments', 'create', '--file', 'new.csv', '--yes'], { env });
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(booked.map(({ client_id, stylist_id }) => [client_id, stylist_id])).toEqual(
      expect.arrayContaining([
        [17, 5],
        [18, 5],
        [18, 5],
        [99, 5],
      ]),
    );
  });
});
