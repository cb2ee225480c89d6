import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;
beforeEach(async () => {
  world = await openEditWorld({ clients: 3 });
});
afterEach(() => world[Symbol.asyncDispose]());

async function add(body: object): Promise<string> {
  return String((await world.client.clients.create({ ...body })).id);
}

describe('clients duplicates', () => {
  it.each([80, 100])('shows the reason and both names whole on a terminal of %i columns', async (columns) => {
    const phone = '+351912345678';
    const first = await add({ first_name: 'Begoña', last_name: 'Araújo Mendes', phone });
    const second = await add({ first_name: 'Begonha', last_name: 'Araújo Mendes', phone });
    const argv = ['clients', 'duplicates'];
    const ran = await world.salon(argv, { columns });
    expect(ran.stdout).toContain('Begoña Araújo Mendes  Begonha Araújo Mendes');
    expect(ran.stdout).toMatch(/^likely +same phone, similar name {2}/m);
    expect(ran.stdout).not.toContain('cli_');
    const whole = [
      { flags: [], columns: 140 },
      { flags: ['-c', '+client_id'], columns },
      { flags: ['-f', 'csv'], columns },
    ];
    for (const { flags, columns: width } of whole) {
      const { stdout } = await world.salon([...argv, ...flags], { columns: width });
      expect(stdout).toContain(first);
      expect(stdout).toContain(second);
    }
  });
});

it.each([
  ['phones', { phone: '+4930111222' }, { phone: '+4930113333' }, 'phone …1222, …3333'],
  [
    'phones with the same end',
    { phone: '+4930111222' },
    { phone: '+4940111222' },
    '+4930111222, +4940111222',
  ],
  ['a phone of one', { phone: '+4930111222' }, {}, 'phone …1222, none'],
  [
    'email addresses',
    { email: 'kim@one.example' },
    { email: 'kim@two.example' },
    'kim@one.example, kim@two.example',
  ],
  ['birthdays', { birthday: '1990-05-01' }, { birthday: '1990-01-05' }, '1990-05-01, 1990-01-05'],
  ['nothing', {}, {}, 'only the ID'],
])(
  'clients duplicates says in 80 columns what differs of two with one name: %s',
  async (_what, one, other, differs) => {
    for (const more of [one, other]) await add({ first_name: 'Noa', last_name: 'Kim', ...more });
    const ran = await world.salon(['clients', 'duplicates', '--sure', 'possible'], { columns: 80 });
    const [row = ''] = ran.stdout.split('\n').filter((line) => line.includes('Noa Kim'));
    expect(row.replaceAll(/ {2,}/g, '  ')).toContain(`Noa Kim  ${differs}`);
  },
);

describe('clients merge of two with one name', () => {
  let first: string;
  let second: string;
  beforeEach(async () => {
    first = await add({
      first_name: 'Noa',
      last_name: 'Kim',
      email: 'noa@kim.example',
      phone: '+4930111111',
    });
    second = await add({ first_name: 'Noa', last_name: 'Kim', phone: '+4930111111' });
  });

  it('asks which one stays and which one is the duplicate, and names what tells them apart', async () => {
    const choose = { columns: 100, stdin: '1\n1\nn\n' };
    const ran = await world.salon(['clients', 'merge', 'Noa Kim', 'Noa', '--plain'], choose);
    expect(ran.exitCode).toBe(8);
    expect(ran.stderr).toContain('Which "Noa Kim" stays?');
    expect(ran.stderr).toContain('Merge Noa Kim (no email) into Noa Kim (noa@kim.example) now?');
    expect(ran.stderr).toMatch(
      /Stays: Noa Kim \(noa@kim\.example\), cli_\w+, \+4930111111, noa@kim\.example/,
    );
  });

  it('asks two different questions, and offers the one who stays no more', async () => {
    const third = await add({ first_name: 'Noa', last_name: 'Kim', email: 'third@kim.example' });
    const choose = { columns: 100, stdin: '2\n1\ny\n' };
    const ran = await world.salon(['clients', 'merge', 'Noa Kim', 'Noa Kim', '--plain'], choose);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Which "Noa Kim" stays?');
    const [, asked = ''] = ran.stderr.split('Which "Noa Kim" is the duplicate?');
    expect(asked.split('Merge Noa Kim')[0]).not.toContain(second);
    expect(await world.client.clients.get(second)).toMatchObject({ email: 'noa@kim.example' });
    await expect(world.client.clients.get(first)).rejects.toMatchObject({ code: 'not_found' });
    expect(await world.client.clients.get(third)).toMatchObject({ email: 'third@kim.example' });
  });

  it('goes back to the first question, and from the confirmation to the second, and cancels at the first', async () => {
    const choose = { columns: 100, stdin: '1\n0\n2\n2\n\u001b\n2\nn\n' };
    const ran = await world.salon(['clients', 'merge', 'Noa', '--plain'], choose);
    const asked = [...ran.stderr.matchAll(/0: (\w+)\n(Which [^?]*\?)/g)].map(([, way, text]) => [way, text]);
    const [stays, duplicate] = [
      ['Cancel', 'Which "Noa" stays?'],
      ['Back', 'Which client is the duplicate of Noa Kim?'],
    ];
    expect(asked).toEqual([stays, duplicate, stays, duplicate, duplicate]);
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' });
    const left = await world.salon(['clients', 'merge', 'Noa', '--plain'], { ...choose, stdin: '1\n0\n0\n' });
    expect(left).toMatchObject({ exitCode: 130, stdout: '' });
  });
});
