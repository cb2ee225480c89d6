import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 120 });
});
afterEach(() => world[Symbol.asyncDispose]());

const create = ['clients', 'create', '--file', 'new.csv'];
const ana = {
  first_name: 'Ana',
  last_name: 'Lopéz',
  email: 'ana@example.com',
  phone: '+447700900123',
  birthday: '1990-05-01',
};

async function addAna(): Promise<string> {
  const { record } = await world.client.clients.create(ana);
  return record?.id ?? '';
}

/** Rows of people who do not exist; many are compared with the whole list, few are looked up. */
function strangers(count: number): string {
  return Array.from({ length: count }, (_, index) => `Nobody,Else,nobody${index}@example.com,,\n`).join('');
}

describe('a new client who exists already', () => {
  describe.each([
    ['in a long sheet', 60],
    ['in a short one', 0],
  ])('%s', (_, count) => {
    it.each([
      ['email', 'Anna,L,ANA@example.com,,'],
      ['phone', 'Anna,L,,+44 7700 900123,'],
      ['phone', 'Anna,L,,447700900123,'],
      ['phone', 'Anna,L,,00447700900123,'],
      ['name and birthday', 'ana,LOPEZ,,,01.05.1990'],
    ])('is found by %s', async (same, row) => {
      const id = await addAna();
      world.write('new.csv', `first_name,last_name,email,phone,birthday\n${row}\n${strangers(count)}`);
      const ran = await world.salon([...create, '--dry-run', '--json']);
      const known = JSON.parse(ran.stdout).filter(({ reason }: { reason: string | null }) => reason !== null);
      expect(known[0]).toMatchObject({ line: 2, reason: `Same ${same} as ${id}.` });
      expect(new Set(known.map(({ line }: { line: number }) => line))).toEqual(new Set([2]));
      expect(ran.stderr).toContain('1 client may exist already');
    });
  });

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
    const id = await addAna();
    world.write('new.csv', 'first_name,email\nAna,ana@example.com\nBea,bea@example.com\n');
    const asked = await world.salon(create);
    expect(asked).toMatchObject({ exitCode: 8, stdout: '' });
    expect(asked.stderr).toContain(`line 2: Same email as ${id}.`);
    const ran = await world.salon([...create, '--yes', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({ done: 2 });
  });

  it('is found in an earlier row, too', async () => {
    world.write('new.csv', 'first_name,email\nBea,bea@example.com\nBea,BEA@example.com\n');
    const ran = await world.salon([...create, '--dry-run']);
    expect(ran.stderr).toContain('line 3: Same email as line 2.');
  });

  it('is not looked for if the key may not list clients, which is said', async () => {
    const { key } = await world.service.addKey({ scopes: ['clients:write'] });
    world.write('new.csv', 'first_name,email\nBea,bea@example.com\n');
    const ran = await world.salon([...create, '--yes'], { env: { SALON_API_KEY: key } });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Cannot check whether these clients exist already');
  });
});
