import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

const create = ['clients', 'create', '--file', 'new.csv'];
const ana = {
  first_name: 'Ana',
  last_name: 'Lopéz',
  email: 'ana@example.com',
  phone: '+447700900123',
  birthday: '1990-05-01',
};

async function addAna(to: EditWorld): Promise<string> {
  const { record } = await to.client.clients.create(ana);
  return record?.id ?? '';
}

/** Rows of people who do not exist. */
function strangers(count: number): string {
  return Array.from({ length: count }, (_, index) => `Nobody,Else,nobody${index}@example.com,,\n`).join('');
}

describe.each([
  ['many rows are compared with all clients', { count: 60, clients: 120 }],
  ['one is looked up among many', { count: 0, clients: 1_700 }],
])('a new client who exists already, where %s,', (_, { count, clients }) => {
  let world: EditWorld;
  let id: string;
  beforeAll(async () => {
    world = await openEditWorld({ clients });
    id = await addAna(world);
    await world.client.clients.create({ first_name: 'Bo', phone: '0612345678' });
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it.each([
    ['email and name', 'Ana,Lopez,ANA@example.com,,'],
    ['phone and name', 'Lopéz,Ana,,+44 7700 900123,'],
    ['phone and name', 'Bo,,,06 12345678,'],
    ['phone', 'Ana,,,447700900123,'],
    ['phone', 'Ana María,Lopéz,,00447700900123,'],
    ['name and birthday', 'ana,LOPEZ,,,01.05.1990'],
  ])('is found by %s: %s', async (same, row) => {
    world.write('new.csv', `first_name,last_name,email,phone,birthday\n${row}\n${strangers(count)}`);
    const ran = await world.salon([...create, '--dry-run', '--json']);
    const known = JSON.parse(ran.stdout).filter(({ reason }: { reason: string | null }) => reason !== null);
    const who = row.startsWith('Bo') ? 'Bo (0612345678, cli_' : `Ana Lopéz (ana@example.com, ${id}).`;
    expect(known[0]).toMatchObject({ line: 2, reason: expect.stringContaining(`Same ${same} as ${who}`) });
    expect(new Set(known.map(({ line }: { line: number }) => line))).toEqual(new Set([2]));
    expect(ran.stderr).toContain('1 client may exist already');
  });
});

describe('a new client who exists already', () => {
  let world: EditWorld;
  beforeEach(async () => {
    world = await openEditWorld({ clients: 0 });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  it('is nobody without a phone, where neither has one', async () => {
    await world.client.salon.update({ country: 'FR' });
    await world.client.clients.create({ first_name: 'Cleo', phone: null });
    world.write(
      'new.csv',
      'first_name,email,phone\nDora,dora@example.com,\nEva,eva@example.com,0612345678\n',
    );
    const ran = await world.salon([...create, '--dry-run', '--json']);
    expect(ran.stderr).not.toContain('may exist already');
  });

  it('is pointed out in the question, and added if that is confirmed', async () => {
    const id = await addAna(world);
    world.write('new.csv', 'first_name,email\nAna,ana@example.com\nBea,bea@example.com\n');
    const asked = await world.salon(create);
    expect(asked).toMatchObject({ exitCode: 8, stdout: '' });
    expect(asked.stderr).toContain(`line 2: Same email as Ana Lopéz (ana@example.com, ${id}).`);
    const ran = await world.salon([...create, '--yes', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 2 });
  });

  it('is found in an earlier row, too', async () => {
    world.write('new.csv', 'first_name,email\nBea,bea@example.com\nBea,BEA@example.com\n');
    const ran = await world.salon([...create, '--dry-run']);
    expect(ran.stderr).toContain('line 3: Same email and name as line 2.');
  });

  it('is left out with --skip-existing, and named in the preview and the results', async () => {
    const id = await addAna(world);
    world.write(
      'new.csv',
      'first_name,email\nAna,ana@example.com\nBea,bea@example.com\nBe,bea@example.com\n',
    );
    const skip = [...create, '--skip-existing'];
    const dry = await world.salon([...skip, '--dry-run', '--json']);
    const same = `Same email as Ana Lopéz (ana@example.com, ${id}).`;
    expect(JSON.parse(dry.stdout)[0]).toMatchObject({ line: 2, act: 'none', id, field: null, reason: same });
    expect(dry.stderr).toContain('3 rows: 2 clients will be added, 1 left out, because they exist already.');
    const ran = await world.salon([...skip, '--yes', '--json']);
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`line 2: ${same}`) });
    const { done, results } = JSON.parse(ran.stdout);
    expect(done).toBe(2);
    expect(world.readText(results)).toMatch(new RegExp(`^2,${id},left_out,.*Ana Lopéz`, 'm'));
    expect((await world.clients()).filter(({ email }) => email === ana.email)).toHaveLength(1);
    const again = await world.salon([...skip, '--yes', '--json']);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.stderr).toContain('no clients will be added, 3 left out');
  });

  it('is left out of a sheet that surely repeats it, while a family may share a phone', async () => {
    const rows = [
      ...[
        'Łukasz,Wójcik,+48600100200,1985-04-03',
        'Ewa,Wójcik,+48600100200,',
        'WOJCIK,lukasz,600 100 200,3.4.1985',
      ],
      ...['Ewa,Wojcik,+48600100200,1990-01-01', 'Łukasz,Wójcik,+48600100200,2010-01-01'],
      ...['Łukasz,Wójcik,+48600100201,1985-04-03', ',,+48600100202,', ',,+48600100202,'],
    ];
    world.write('new.csv', `first_name,last_name,phone,birthday\n${rows.join('\n')}\n`);
    const asked = await world.salon([...create, '--country', 'PL', '--dry-run']);
    expect(asked.stderr).toContain('2 rows for the client of an earlier row. To leave such rows out');
    expect(asked.stderr).not.toContain('may exist already');
    expect(asked.stderr).toContain('4 rows may repeat a client or an earlier row: check them.');
    const ran = await world.salon([...create, '--country', 'PL', '--skip-existing', '--yes', '--json']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain(
      '8 rows: 6 clients will be added, 2 left out, because an earlier row has them.',
    );
    expect(ran.stderr).not.toContain('add --skip-existing');
    for (const said of [
      'line 3: Same phone as line 2, but not the same name.',
      'line 4: Same phone and name as line 2.',
      'line 5: Same phone and name as line 3.',
      'line 6: Same phone as line 2, but not the same birthday.',
      'line 7: Same name and birthday as line 2, but not the same phone or email.',
      'line 9: Same phone as line 8, but the name does not tell who it is.',
    ])
      expect(ran.stderr).toContain(said);
    const { results } = JSON.parse(ran.stdout);
    expect(world.readText(results)).toMatch(/^4,,left_out,.*Same phone and name as line 2\./m);
  });

  it('is left out alone where a family shares a phone', async () => {
    const columns = 'first_name,last_name,phone,email\n';
    const mother = 'Mutter,Drei,+49 30 5550301,mutter@x.example\n';
    world.write('mother.csv', columns + mother);
    await world.salon(['clients', 'create', '--file', 'mother.csv', '--yes']);
    const daughters = ['Tochter,Drei,+49 30 5550301,\n', 'Tochterzwo,Drei,+49 30 5550301,zwo@x.example\n'];
    world.write('new.csv', columns + mother + daughters.join(''));
    const ran = await world.salon([...create, '--skip-existing', '--yes', '--json']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).toContain('line 2: Same email and name as Mutter Drei (mutter@x.example, cli_');
    expect(ran.stderr).toMatch(/line 3: Same phone as Mutter Drei \(.*\), but not the same name\./);
    const { done, results } = JSON.parse(ran.stdout);
    expect(done).toBe(2);
    expect(world.readText(results)).toMatch(/^2,cli_\w+,left_out,.*Same email and name as Mutter Drei/m);
    const names = (await world.clients()).filter(({ last_name }) => last_name === 'Drei');
    expect(names.map(({ first_name }) => first_name).toSorted()).toEqual(['Mutter', 'Tochter', 'Tochterzwo']);
  });

  it.each([
    [
      'two clients fit',
      'Ana,Costa,+447700900200,',
      /line 2: Same phone and name as Ana Costa \(.*\) and Ana Costa \(.*\): more than one client fits\./,
    ],
    [
      'the row has no name',
      ',,+447700900123,',
      /line 2: Same phone as Ana Lopéz \(.*\), but the name does not tell who it is\./,
    ],
    [
      'the row has only a family name',
      ',Lopez,+447700900123,',
      /line 2: Same phone as Ana Lopéz \(.*\), but the name does not/,
    ],
    [
      'the client has no name',
      'Eva,Mora,+447700900300,',
      /line 2: Same phone as \+447700900300 \(.*\), but the name does not/,
    ],
  ])('is refused, and the others are added, where %s', async (_, row, reason) => {
    await addAna(world);
    const twin = { first_name: 'Ana', last_name: 'Costa', phone: '+447700900200' };
    for (const person of [twin, twin, { phone: '+447700900300' }]) await world.client.clients.create(person);
    world.write('new.csv', `first_name,last_name,phone,email\n${row}\nBea,Cruz,,bea@example.com\n`);
    const ran = await world.salon([...create, '--skip-existing', '--yes', '--json']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(reason) });
    const { done, failed_rows: failed } = JSON.parse(ran.stdout);
    expect({ done, failed: world.readText(failed) }).toEqual({
      done: 1,
      failed: expect.stringContaining(row.split(',')[2] ?? ''),
    });
  });

  it.each([
    ['ID', (id: string) => ({ id, first_name: 'Renamed' })],
    ['external ID', () => ({ external_id: 'C-1', first_name: 'Renamed' })],
  ])('is left out by its %s under another name', async (same, toRow) => {
    const { record } = await world.client.clients.create({ ...ana, external_id: 'C-1' });
    world.writeSheet('new.csv', [{ ...toRow(record?.id ?? ''), phone: '+447700900999' }]);
    const ran = await world.salon([...create, '--skip-existing', '--dry-run', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject([
      { act: 'none', id: record?.id, reason: expect.stringContaining(`Same ${same} as Ana Lopéz`) },
    ]);
  });

  it('is added without a question or a search with --allow-duplicate', async () => {
    await addAna(world);
    world.write('new.csv', 'first_name,email\nAna,ana@example.com\n');
    const ran = await world.salon([...create, '--allow-duplicate', '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stderr).not.toContain('Same email');
    expect((await world.clients()).filter(({ email }) => email === 'ana@example.com')).toHaveLength(2);
  });

  it.each([
    [[...create, '--skip-existing', '--allow-duplicate'], 'cannot be used with option "--allow-duplicate"'],
    [['clients', 'create', '--set', 'first_name=Ana', '--skip-existing'], '--skip-existing needs --file'],
  ])('cannot be both left out and added, nor left out of no sheet: %j', async (argv, message) => {
    world.write('new.csv', 'first_name\nBea\n');
    const ran = await world.salon([...argv, '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) });
  });

  it('is not left out where nobody can tell: nothing is sent', async () => {
    const { key } = await world.service.addKey({ scopes: ['clients:write'] });
    world.write('new.csv', 'first_name,email\nBea,bea@example.com\n');
    const env = { SALON_API_KEY: key };
    const ran = await world.salon([...create, '--skip-existing', '--yes'], { env });
    expect(ran).toMatchObject({ exitCode: 1 });
    expect(ran.stderr).toContain('Cannot tell which of these clients exist already');
    expect((await world.clients()).filter(({ first_name }) => first_name === 'Bea')).toEqual([]);
  });

  it('is not looked for if the key may not list clients, which is said', async () => {
    const { key } = await world.service.addKey({ scopes: ['clients:write'] });
    world.write('new.csv', 'first_name,email\nBea,bea@example.com\n');
    const ran = await world.salon([...create, '--yes'], { env: { SALON_API_KEY: key } });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Cannot check whether these clients exist already');
  });
});
