import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
});
afterEach(() => world[Symbol.asyncDispose]());

function readFixture(name: string): string {
  return readFileSync(new URL(`../../bulk/input/fixtures/${name}`, import.meta.url), 'utf8');
}

async function create(text: string, ...flags: readonly string[]) {
  world.write('list.csv', text);
  const ran = await world.salon([
    'clients',
    'create',
    '--file',
    'list.csv',
    '--yes',
    '--country',
    'DE',
    ...flags,
  ]);
  const clients = new Map((await world.clients()).map((client) => [client['first_name'], client]));
  return { ...ran, clients };
}

describe('an export of another program', () => {
  it('of Google Contacts is added without a flag, and its organisations are left out', async () => {
    const { exitCode, stderr, clients } = await create(readFixture('google-contacts-2026.csv'));
    expect(exitCode, stderr).toBe(0);
    expect([...clients.keys()].sort()).toEqual(['Ida', 'Milan', 'Nela']);
    expect(clients.get('Nela')).toMatchObject({
      ...{ last_name: 'Bergmann', phone: '+491712345678', email: 'nela@bergmann.example', tags: ['Kunden'] },
      ...{ birthday: '1985-03-15', notes: 'Allergic to ammonia\nprefers mornings' },
    });
    expect(clients.get('Milan')).toMatchObject({
      ...{ last_name: 'Dvorak', phone: '+491715550101', email: 'milan@dvorak.example' },
      ...{ tags: ['VIP', 'Stammkunden'], notes: null, birthday: '--05-15' },
    });
    expect(clients.get('Ida')).toMatchObject({ phone: '+491725550111', tags: [] });
    expect(stderr).toContain('2 organisations left out: Studio Kranz GmbH, Haarbedarf Nord');
    expect(stderr).toContain('Photo (1 row)');
    expect(stderr).toContain(
      'phone: 2 rows with other phones, not taken. --keep-phones puts them into the notes.',
    );
    expect(stderr).toContain('email: 1 row with other addresses, not taken.');
  });

  it('has its other phones in the notes, if asked, and once', async () => {
    const { clients } = await create(readFixture('google-home-before-mobile.csv'), '--keep-phones');
    const ida = clients.get('Ida');
    expect(ida).toMatchObject({ phone: '+491725550111', notes: 'Home 030 5550110' });
    world.write('again.csv', `id,Handy,Home\n${ida?.id},0172 5550111,030 5550110\n`);
    const update = ['clients', 'update', '--file', 'again.csv', '--yes', '--country', 'DE', '--keep-phones'];
    const ran = await world.salon([...update, '--map', 'Home=']);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    world.write(
      'again.csv',
      `id,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value\n${ida?.id},Home,030 5550110,Mobile,0172 5550111\n`,
    );
    const again = await world.salon(update);
    expect(again, again.stderr).toMatchObject({ exitCode: 0 });
    expect(await world.client.clients.get(ida?.id ?? '')).toMatchObject({ notes: 'Home 030 5550110' });
    expect(again.stderr).toContain('1 unchanged');
  });

  it('keeps a mobile number where a row of an update has a landline alone', async () => {
    const { id = '' } = await world.client.clients.create({ first_name: 'Ida', phone: '+491725550111' });
    world.write('again.csv', `id,Phone 1 - Label,Phone 1 - Value\n${id},Home,030 5550110\n`);
    const update = ['clients', 'update', '--file', 'again.csv', '--yes', '--country', 'DE'];
    expect(await world.salon(update)).toMatchObject({ exitCode: 0 });
    expect(await world.client.clients.get(id)).toMatchObject({ phone: '+491725550111' });
  });

  it('of Timely has its mobile numbers, notes and alerts, and every tag', async () => {
    const { exitCode, stderr, clients } = await create(readFixture('timely-sms-number.csv'));
    expect(exitCode, stderr).toBe(0);
    expect(clients.get('Nela')).toMatchObject({
      ...{ external_id: '1234567', phone: '+491712345678', birthday: '1985-03-15', tags: ['VIP', 'Colour'] },
      notes: 'Allergic to ammonia\nAlerts: PPD allergy!',
    });
  });

  it('of Shopify has IDs and phones without the apostrophe before them', async () => {
    const { exitCode, stderr, clients } = await create(
      readFixture('shopify-guarded-ids.csv'),
      '--country',
      'US',
    );
    expect(exitCode, stderr).toBe(0);
    expect(clients.get('Teo')).toMatchObject({
      ...{
        external_id: '7210448301122',
        phone: '+17755550154',
        tags: ['retail', 'vip'],
        notes: 'Likes rings',
      },
      ...{ email_marketing_consent: false, sms_marketing_consent: false },
    });
    expect(clients.get('Holly')).toMatchObject({ external_id: '7210448301123', phone: '+18015550199' });
  });

  it.each([
    [
      'square-no-year.csv',
      { phone: '+15555550101', notes: 'Allergic to ammonia', email_marketing_consent: true },
    ],
    [
      'fresha-birthday-without-year.csv',
      { phone: '+491712345678', external_id: '81234567', email_marketing_consent: true },
    ],
  ])('%s needs no flag, and has a birthday without a year', async (name, expected) => {
    const { exitCode, stderr, clients } = await create(readFixture(name));
    expect(exitCode, stderr).toBe(0);
    expect(clients.get('Nela')).toMatchObject({ last_name: 'Berg', birthday: '1985-03-15', ...expected });
    expect(clients.get('Milan')).toMatchObject({ last_name: 'Dvor', birthday: '--05-15' });
  });
});

describe('tags with commas in a list of people', () => {
  const list = 'Vorname,Gruppe\nNia,"VIP, Farbe"\nTom,Stamm\n';

  it('are split where that is agreed', async () => {
    world.write('list.csv', list);
    const ran = await world.salon(['clients', 'create', '--file', 'list.csv'], {
      columns: 200,
      stdin: 'y\ny\n',
      env: { SALON_PLAIN: '1' },
    });
    expect(ran.stderr).toContain(
      'tags: 1 cell with commas, such as "VIP, Farbe". Does a comma separate them?',
    );
    const nia = (await world.clients()).find((client) => client['first_name'] === 'Nia');
    expect(nia, ran.stderr).toMatchObject({ tags: ['VIP', 'Farbe'] });
  });

  it('stay one tag where nobody can be asked, which is said', async () => {
    const { stderr, clients } = await create(list);
    expect(clients.get('Nia')).toMatchObject({ tags: ['VIP, Farbe'] });
    expect(stderr).toContain('with commas and no semicolon, read as one entry');
  });
});

describe('advice about columns that are not recognised', () => {
  const headings = ['Photo', 'idd', `It's "x"`, '$HOME', 'a=b', '`ls`', '100%', '!wow', 'back\\slash'];

  it('proposes no field by spelling, and works as it is pasted', async () => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const line = (texts: readonly string[]) => [...texts.map(cell), ''].join(',').slice(0, -1);
    const text = `Vorname,${line(headings)}\nNia,${headings.map((_, index) => `x${index}`).join(',')}\n`;
    const refused = await create(text);
    expect(refused.exitCode).toBe(2);
    const flags = refused.stderr.match(/--map (?:"[^"]*"|'(?:[^']|'\\'')*')/g) ?? [];
    expect(flags).toHaveLength(headings.length);
    const { execFileSync } = await import('node:child_process');
    const given = execFileSync('sh', ['-c', `printf '%s\\n' ${flags.join(' ')}`], { encoding: 'utf8' });
    const pasted = given.trimEnd().split('\n');
    expect(pasted.filter((_, index) => index % 2 === 1)).toEqual(headings.map((heading) => `${heading}=`));
    expect(await create(text, ...pasted)).toMatchObject({ exitCode: 0 });
  });
});
