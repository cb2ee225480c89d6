import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
});
afterEach(() => world[Symbol.asyncDispose]());

const create = ['clients', 'create', '--file', 'list.csv'];

async function readPhones(): Promise<unknown> {
  return (await world.clients()).map(({ phone }) => phone).toSorted();
}

describe('a sheet with phone numbers', () => {
  it('has each number in the form that can be dialled from everywhere', async () => {
    await world.client.salon.update({ country: 'DE' });
    const phones = ['+49\u00a030\u202f123456', '030\u2009123456', 'tel:030-123456', '0049 (0)30/123456'];
    world.write('list.csv', `first_name,phone\n${phones.map((phone) => `Ada,${phone}\n`).join('')}`);
    const ran = await world.salon([...create, '--allow-duplicate', '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(await readPhones()).toEqual(phones.map(() => '+4930123456'));
  });

  it('names what it cannot take from its cells', async () => {
    const rows = ['030 123456 ext. 12', '+1 123 555 0123', '+44 20 7946', '23125018'];
    world.write('list.csv', `first_name,phone\n${rows.map((phone) => `Ada,${phone}\n`).join('')}`);
    const ran = await world.salon([...create, '--country', 'de', '--yes']);
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain('phone: 1 number with an extension (line 2), saved without it.');
    expect(ran.stderr).toContain('phone: 1 number that their country does not seem to have (line 3)');
    expect(ran.stderr).toContain('phone: 1 number that no country has (line 4), saved as written.');
    expect(ran.stderr).toContain('phone: 1 number without + (line 5), saved as written.');
    expect(await readPhones()).toEqual(['+11235550123', '+44207946', '+4930123456', '23125018']);
  });

  it('warns of a number that an update changes, and of none that stays', async () => {
    world.write('list.csv', 'first_name,phone\nAda,+1 123 555 0123\nBea,+49 30 123456\n');
    await world.salon([...create, '--yes']);
    const { stdout } = await world.salon(['clients', 'list', '-f', 'csv']);
    world.write('own.csv', stdout);
    const update = ['clients', 'update', '--file', 'own.csv', '--dry-run'];
    expect((await world.salon(update)).stderr).not.toContain('seem to have');
    world.write('own.csv', stdout.replace('+4930123456', '+1 123 555 0124'));
    const ran = await world.salon(update);
    expect(ran.stderr).toContain('phone: 1 number that their country does not seem to have (line 3)');
  });

  it.each([
    [
      'what is no number',
      2,
      [
        ['030 123456 (mother)', 'not "030 123456 (mother)"'],
        ['110', 'not "110"'],
        ['1-800-FLOWERS', 'not "1-800-FLOWERS"'],
        ['0171'.repeat(10), 'Must be an optional + and 7 to 15 digits'],
      ],
    ],
    [
      'what may be two',
      3,
      [['011 49 30 123456', 'may be +49114930123456 or +4930123456. Write it with + and the country code.']],
    ],
  ])('is refused with %s', async (_, exitCode, refused) => {
    world.write('list.csv', `first_name,phone\n${refused.map(([phone]) => `Ada,${phone}\n`).join('')}`);
    const ran = await world.salon([...create, '--country', 'DE', '--yes']);
    expect(ran.exitCode).toBe(exitCode);
    for (const [, reason] of refused) expect(ran.stderr).toContain(reason);
    expect(await world.clients()).toEqual([]);
  });

  it('is refused with a country without phone numbers, which a salon may have', async () => {
    world.write('list.csv', 'first_name,phone\nAda,030 123456\n');
    const ran = await world.salon([...create, '--country', 'AQ']);
    expect(ran).toMatchObject({ exitCode: 2 });
    expect(ran.stderr).toContain('--country cannot be "AQ"');
    await world.client.salon.update({ country: 'AQ' });
    expect(await world.salon([...create, '--yes'])).toMatchObject({ exitCode: 0 });
    expect(await readPhones()).toEqual(['030123456']);
  });
});

describe('a client with a phone number', () => {
  it.each(['030/23125018', 'tel:+49-30-23125018'])('is matched by %s', async (phone) => {
    await world.client.salon.update({ country: 'DE' });
    await world.client.clients.create({ first_name: 'Ada', phone: '+493023125018' });
    await world.client.clients.create({ first_name: 'Bea', phone: '+333023125018' });
    world.write('list.csv', `phone,notes\n${phone},by phone\n`);
    const ran = await world.salon(['clients', 'update', '--file', 'list.csv', '--match', 'phone', '--yes']);
    expect(ran).toMatchObject({ exitCode: 0 });
    const [ada, bea] = await world.clients();
    expect(ada).toMatchObject({ phone: '+493023125018', notes: 'by phone' });
    expect(bea).toMatchObject({ notes: null });
  });

  it.each(['030/23125018', '493023125018'])('is who is meant by %s', async (reference) => {
    await world.client.salon.update({ country: 'DE' });
    await world.client.clients.create({ first_name: 'Ada', phone: '+493023125018' });
    const ran = await world.salon(['clients', 'get', reference, '--json']);
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ first_name: 'Ada' });
  });

  it('is matched in national form, and refused where two are meant', async () => {
    await world.client.salon.update({ country: 'DE' });
    await world.client.clients.create({ first_name: 'Ada', phone: '030 23125018' });
    world.write('list.csv', 'phone,notes\n+49 30 23125018,by phone\n');
    const update = ['clients', 'update', '--file', 'list.csv', '--match', 'phone', '--yes'];
    expect(await world.salon(update)).toMatchObject({ exitCode: 0 });
    expect(await world.clients()).toMatchObject([{ phone: '03023125018', notes: 'by phone' }]);
    await world.client.clients.create({ first_name: 'Eva', phone: '0049 30 23125018' });
    const ran = await world.salon(update);
    expect(ran.exitCode).not.toBe(0);
    expect(ran.stderr).toContain('More than one client with phone +493023125018');
  });

  it('is noticed when somebody is added with the same number in another form', async () => {
    await world.client.salon.update({ country: 'ES' });
    await world.client.clients.create({ first_name: 'Ada', phone: '912 345 678' });
    const ran = await world.salon([
      'clients',
      'create',
      '--set',
      'first_name=Eva',
      '--set',
      'phone=+34 912345678',
    ]);
    expect(ran.stderr).toContain('has the same phone number');
  });

  it('is noticed and saved with a slash after its area code, and refused beside another', async () => {
    await world.client.salon.update({ country: 'DE' });
    await world.client.clients.create({ first_name: 'Ada', phone: '+49 171 2345678' });
    const create = (phone: string) =>
      world.salon(['clients', 'create', '--set', 'first_name=Eva', '--set', `phone=${phone}`]);
    expect(await create('0171/2345678')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('has the same phone number'),
    });
    expect((await create('123456/654321')).exitCode).toBe(1);
  });

  it('is a duplicate of another with the same number in another form', async () => {
    await world.client.salon.update({ country: 'ES' });
    await world.client.clients.create({ first_name: 'Ada', last_name: 'Costa', phone: '912 345 678' });
    await world.client.clients.create({ first_name: 'Ada', last_name: 'Costa', phone: '+34 912 345 678' });
    await world.client.clients.create({ first_name: 'Ada', last_name: 'Costa', phone: '+35 1912345678' });
    const ran = await world.salon(['clients', 'duplicates', '--json']);
    const certain = JSON.parse(ran.stdout).filter(({ sure }: { sure: string }) => sure === 'certain');
    expect(certain).toHaveLength(1);
  });
});
