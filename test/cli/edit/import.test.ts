import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
});
afterEach(() => world[Symbol.asyncDispose]());

const head = 'first_name,last_name,email,phone,birthday,notes\n';

/** Imports rows of clients. */
async function importRows(rows: readonly string[], ...flags: string[]) {
  world.write('list.csv', `${head}${rows.join('\n')}\n`);
  const ran = await world.salon(['clients', 'import', 'list.csv', '--json', ...flags]);
  return { ...ran, record: JSON.parse(ran.stdout || '{}') };
}

const yes = '--yes';

describe('clients import', () => {
  const rows = [
    'Ana,Costa,ana@costa.example,+4915112345001,--05-15,tea',
    'Ben,Frei,,+4915112345002,,',
    'Only,Name,,,,',
    'Mia,Frei,,+4915112345002,,',
  ];

  it('adds who is new; started again, it finds everything the same and sends nothing', async () => {
    const ran = await importRows(rows, yes);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, record: { verb: 'import', done: 4 } });
    expect(ran.stderr).toContain('4 rows: 4 clients new.');
    const again = await importRows(rows, yes);
    expect(again, again.stderr).toMatchObject({ exitCode: 0, record: { job: null, so_already: 4, done: 0 } });
    expect(again.stderr).toContain('4 rows: 4 the same.');
    expect(await world.clients()).toHaveLength(4);
  });

  it('fills blanks of who is known, never replaces and never clears, and is undone as one', async () => {
    const { record } = await world.client.clients.create({
      ...{
        first_name: 'Ana',
        last_name: 'Costa',
        email: 'ana@costa.example',
        birthday: '--05-15',
        notes: 'tea',
      },
    });
    const before = await world.clients();
    const list = ['Ana,Costa,ana@costa.example,+4915112345001,1985-05-15,milk', 'Neu,Mann,neu@x.example,,,'];
    const ran = await importRows(list, yes);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, record: { done: 2 } });
    expect(ran.stderr).toContain('2 rows: 1 client new, 1 completed (phone, birthday).');
    const ana = async () => (await world.clients()).find(({ id }) => id === record?.id);
    expect(await ana()).toMatchObject({ phone: '+4915112345001', birthday: '1985-05-15', notes: 'tea' });
    const undone = await world.salon(['jobs', 'undo', ran.record.job, yes, '--json']);
    expect(undone, undone.stderr).toMatchObject({ exitCode: 0 });
    expect(undone.stderr).toContain('2 rows: 1 client deleted, 1 restored');
    const restored = (await world.clients()).map(({ updated_at, ...fields }) => fields);
    expect(restored).toEqual(before.map(({ updated_at, ...fields }) => fields));
    const redone = await world.salon(['jobs', 'undo', JSON.parse(undone.stdout).job, yes, '--json']);
    expect(redone, redone.stderr).toMatchObject({ exitCode: 0 });
    expect(redone.stderr).toContain('1 client added again, 1 restored');
    const twice = await world.salon(['jobs', 'undo', JSON.parse(undone.stdout).job, yes, '--json']);
    expect(twice.stderr).toContain('was undone by job');
  });

  it('replaces with --overwrite what the row has, and clears nothing', async () => {
    await world.client.clients.create({
      first_name: 'Ana',
      email: 'ana@costa.example',
      notes: 'tea',
      phone: '+4930123456',
    });
    const ran = await importRows(['Ana,Costa,ana@costa.example,,,milk'], yes, '--overwrite');
    expect(ran.stderr).toContain('1 row: 1 client changed (last name, notes).');
    expect(await world.clients()).toMatchObject([
      { last_name: 'Costa', notes: 'milk', phone: '+4930123456' },
    ]);
  });

  it('does not fill in a name that is split in another way', async () => {
    await world.client.clients.create({ first_name: 'Ana Costa', email: 'ana@costa.example' });
    const ran = await importRows(['Ana,Costa,ana@costa.example,,,'], yes);
    expect(ran).toMatchObject({ exitCode: 0, record: { so_already: 1 } });
  });

  const unsure = ['Costa,,,+4915112345001,,milk', 'Neu,Mann,neu@x.example,,,'];

  it('leaves out in a script what is not certain, names it, and exits with 3', async () => {
    await world.client.clients.create({ first_name: 'Ana', last_name: 'Costa', phone: '+4915112345001' });
    const ran = await importRows(unsure, yes);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3, record: { done: 1, refused: 1 } });
    expect(ran.stderr).toContain('1 left out, not certain (see --yes-likely).');
    expect(ran.stderr).toContain('line 2: Same phone as Ana Costa');
    expect(world.readText(ran.record.failed_rows)).toContain('Costa');
    const likely = await importRows(unsure, yes, '--yes-likely');
    expect(likely, likely.stderr).toMatchObject({ exitCode: 0, record: { done: 1, so_already: 1 } });
    expect((await world.clients())[0]).toMatchObject({ first_name: 'Ana', notes: 'milk' });
  });

  it.each([
    ['y\ny\n', 2, 0],
    ['n\ny\n', 1, 3],
  ])('asks at a terminal about what is not certain: %j', async (stdin, done, exitCode) => {
    await world.client.clients.create({ first_name: 'Ana', last_name: 'Costa', phone: '+4915112345001' });
    world.write('list.csv', `${head}${unsure.join('\n')}\n`);
    const ran = await world.salon(['clients', 'import', 'list.csv', '--plain', '--json'], {
      columns: 200,
      stdin,
    });
    expect(ran.stderr).toContain('1 row not certain. Take each for that client, or for somebody new where');
    expect([ran.exitCode, JSON.parse(ran.stdout).done], ran.stderr).toEqual([exitCode, done]);
  });

  it('leaves out rows that repeat an earlier one, and takes one of several clients for nobody', async () => {
    const repeated = await importRows(
      ['Ana,Costa,ana@costa.example,,,', 'Ana,Costa,ana@costa.example,,,x'],
      yes,
    );
    expect(repeated.stderr).toContain(
      '1 client new, 1 left out, because an earlier row has them (import again to complete these).',
    );
    for (const notes of ['a', 'b'])
      await world.client.clients.create({ first_name: 'Eva', last_name: 'Roth', notes });
    const several = await importRows(['Eva,Roth,,,,c'], yes, '--yes-likely');
    expect(several).toMatchObject({ exitCode: 3, record: { refused: 1 } });
    expect(several.stderr).toContain('more than one client fits');
  });

  it('leaves out rows with invalid values, names them, and exits with 3', async () => {
    const invalid = ['Voice,Mail,,3311,,', 'Ana,Costa,ana@costa.example,,,', 'Ben,Frei,,,1990-02-31,'];
    const ran = await importRows(invalid, yes);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3, record: { done: 1, refused: 2 } });
    expect(ran.stderr).toContain('3 rows: 1 client new, 2 refused.');
    expect(ran.stderr).toContain('line 2: phone: Must be an optional + and 7 to 15 digits, not "3311".');
    expect(ran.stderr).toContain('line 4: birthday: ');
    expect(world.readText(ran.record.failed_rows).trim().split(/\r?\n/).slice(1)).toEqual([
      invalid[0],
      invalid[2],
    ]);
    const again = await importRows(invalid, yes);
    expect(again, again.stderr).toMatchObject({ exitCode: 3, record: { job: null, so_already: 1 } });
  });

  it.each([
    ['no row is valid', ['Voice,Mail,,3311,,']],
    ['a row has a cell too many', ['Voice,Mail,,3311,,', 'Ana,,,,,,x', 'Ben,,,,,']],
    ['a column has both orders of dates', ['Ana,,,,13/01/1990,', 'Ben,,,,01/13/1990,', 'Eva,,,,,']],
  ])('refuses the file where %s', async (_, invalid) => {
    expect(await importRows(invalid, yes)).toMatchObject({ exitCode: 2 });
    expect(await world.clients()).toEqual([]);
  });

  it('leaves out the second of two rows with one external ID', async () => {
    world.write('list.csv', 'Kunden-Nr,Vorname,Nachname\n7,Ana,Costa\n7,Eva,Roth\n');
    const ran = await world.salon(['clients', 'import', 'list.csv', '--json', yes]);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3 });
    expect(ran.stderr).toContain('line 3: external_id: Line 2 has the same external_id.');
    expect(await world.clients()).toMatchObject([{ first_name: 'Ana' }]);
  });

  it('says which values of known clients are not taken', async () => {
    await world.client.clients.create({
      first_name: 'Ana',
      last_name: 'Costa',
      email: 'ana@costa.example',
      phone: '+4915112345001',
    });
    const other = 'Ana Maria,Costa,ana@costa.example,+4915112345002,,tea';
    const ran = await importRows([other], yes);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, record: { done: 1 } });
    expect(ran.stderr).toContain(
      'phone: 1 row with another value than is saved, not taken. --overwrite takes it.',
    );
    expect(ran.stderr).not.toContain('first name: 1 row');
    const again = await importRows([other], yes);
    expect(again.stderr).toMatch(/1 the same\.\nphone: 1 row with another value/);
    expect((await importRows([other], yes, '--overwrite')).stderr).not.toContain('not taken');
    expect(await world.clients()).toMatchObject([{ phone: '+4915112345002', notes: 'tea' }]);
  });

  it('takes a row with a name alone for the earlier row of that name', async () => {
    const named = ['Ana,Costa,ana@costa.example,,,', 'Costa,Ana,,,,', 'Ana,Costa,,,,tea'];
    const ran = await importRows(named, yes);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3, record: { done: 1, refused: 1 } });
    expect(ran.stderr).toContain('line 4: Same name as line 2, and nothing else tells who it is.');
    expect(await world.clients()).toHaveLength(1);
    const again = await importRows(named.slice(0, 2), yes);
    expect(again, again.stderr).toMatchObject({ exitCode: 0, record: { so_already: 2 } });
  });

  it('asks whether a client of whom the name alone is known is meant, and names namesakes', async () => {
    for (const phone of [null, '+4915112345001'])
      await world.client.clients.create({
        first_name: phone === null ? 'Ana' : 'Ben',
        last_name: 'Costa',
        phone,
      });
    const rows = [
      'Ana,Costa,ana@costa.example,,,',
      'Ben,Costa,,+4915112345002,,',
      'Ben,Costa,,+4915112345003,,',
    ];
    const ran = await importRows(rows, yes);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 3, record: { done: 2, refused: 1 } });
    expect(ran.stderr).toMatch(/line 2: Same name as Ana Costa .*nothing else tells who it is/);
    expect(ran.stderr).toMatch(/line 3: Same name as Ben Costa .*, but not the same phone and email/);
    const likely = await importRows(rows, yes, '--yes-likely');
    expect(likely, likely.stderr).toMatchObject({ exitCode: 0, record: { done: 1, so_already: 2 } });
    expect(await world.clients()).toHaveLength(4);
  });

  it('knows a client by email or phone among many of one name, on the server and in the file', async () => {
    const many = Array.from({ length: 70 }, (_, index) => ({
      ...{ first_name: 'Ana', last_name: 'Costa', email: `a${index}@costa.example` },
      phone: `+4915112345${100 + index}`,
    }));
    for (const fields of many) await world.client.clients.create(fields);
    const known = many.flatMap(({ email, phone }) => [`Ana,Costa,${email},,,`, `Ana,Costa,,${phone},,`]);
    const ran = await importRows(known, '--dry-run');
    expect(ran.stderr).not.toContain('new');
    const fresh = many.map(({ email }) => `Ana,Costa,new-${email},,,`);
    const twice = await importRows([...fresh, ...fresh], yes);
    expect(twice, twice.stderr).toMatchObject({ record: { done: 70 } });
    expect(await world.clients()).toHaveLength(140);
  });

  it('takes what the clients list writes for the same, also of two with one phone or external ID', async () => {
    const both = { last_name: 'Costa', phone: '+4915112345001' };
    for (const email of ['ana@costa.example', 'other@costa.example', null])
      await world.client.clients.create({ ...both, first_name: 'Ana', email, external_id: '7' });
    for (const columns of ['+all', 'first_name,last_name,email,phone']) {
      await world.salon(['clients', 'list', '-o', 'all.csv', '-c', columns]);
      const ran = await world.salon(['clients', 'import', 'all.csv', yes, '--json']);
      expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
      expect(ran.stderr).toContain('3 rows: 3 the same.');
    }
  });

  it('sends nothing with --dry-run, and asks for --yes in a script', async () => {
    expect(await importRows(rows, '--dry-run')).toMatchObject({ exitCode: 0 });
    expect(await importRows(rows)).toMatchObject({ exitCode: 8 });
    expect(await world.clients()).toEqual([]);
  });

  it('is applied from a saved plan, unless a row is edited to delete', async () => {
    world.write('list.csv', `${head}${rows.join('\n')}\n`);
    await world.salon(['clients', 'import', 'list.csv', '--plan-file', 'plan.json']);
    const ran = await world.salon(['jobs', 'apply', 'plan.json', yes, '--json']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(await world.clients()).toHaveLength(4);
  });
});
