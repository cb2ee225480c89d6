import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMachine } from '../support/io.ts';
import type { Row } from '../support/servers/client-store.ts';
import { feathers } from '../support/servers/feathers.ts';
import { jsonServer } from '../support/servers/json-server.ts';
import { connect, type OperatedKind, writeProfile } from './machine.ts';

/** Both take a parameter that they do not know for a filter that nothing matches: an answer to one proves nothing. */
const paged: readonly (readonly [string, OperatedKind, Readonly<Record<string, unknown>>])[] = [
  [
    'Feathers',
    feathers,
    { prefix: '', paging: 'offset', pageParameter: '$skip', perPageParameter: '$limit', perPage: 50 },
  ],
  [
    'json-server',
    jsonServer,
    {
      ...{
        prefix: '',
        listParameters: { _page: '1' },
        pageParameter: '_page',
        perPageParameter: '_per_page',
      },
      totalKey: 'items',
    },
  ],
];

const people = [1, 2, 3, 4, 5, 6, 7].map((number) => `New${number},Person,new${number}@example.com`);
const sheet = `first_name,last_name,email\n${people.join('\n')}\n`;

describe.each(paged)('%s, of which only the pages are declared', (_name, kind, dialect) => {
  it.each<[flags: string, isRight: (row: Row) => boolean]>([
    ['--search client11', ({ email }) => String(email).includes('client11')],
    ['--email client7@example.com', ({ email }) => email === 'client7@example.com'],
    ['--updated-since 2026-02-01T00:40:30Z', ({ updated_at: at }) => String(at) > '2026-02-01T00:40:30Z'],
  ])('finds what %s asks for', async (flags, isRight) => {
    await using machine = await connect({ kind, via: { dialect } }, { count: 60 });
    const ran = await machine.salon('clients', 'list', ...flags.split(' '), '--json');
    expect(ran.exitCode, ran.stderr).toBe(0);
    const right = (await machine.all()).filter(isRight).map((row) => String(row['id']));
    expect(right.length).toBeGreaterThan(0);
    expect(JSON.parse(ran.stdout).map((row: Row) => String(row['id']))).toEqual(right);
  });

  it.each<[flags: string, isRight: (row: Row) => boolean]>([
    ['', ({ email }) => email !== null],
    [' --email client7@example.com', ({ email }) => email === 'client7@example.com'],
    [' --search client11', ({ email }) => String(email).includes('client11')],
  ])('sorts here what an order finds nothing of: --sort -email%s', async (flags, isRight) => {
    await using machine = await connect({ kind, via: { dialect } }, { count: 60 });
    const ran = await machine.salon(...`clients list --sort -email${flags} --json`.split(' '));
    expect(ran.exitCode, ran.stderr).toBe(0);
    const emails = (await machine.all()).filter(isRight).map((row) => String(row['email']));
    expect(emails.length).toBeGreaterThan(0);
    const sorted = JSON.parse(ran.stdout).map((row: Row) => row['email']);
    expect(sorted.slice(0, emails.length)).toEqual(emails.toSorted().toReversed());
    // Those without an address come last.
    expect(sorted.slice(emails.length).every((email: unknown) => email === null)).toBe(true);
    expect(ran.stderr).toContain('finds nothing in the order -email; reading the whole list to sort it here');
  });

  it('adds seven clients from a sheet, and takes them away again', async () => {
    await using machine = await connect({ kind, via: { dialect } }, { count: 60 });
    const before = await machine.all();
    writeFileSync(join(machine.home, 'new.csv'), sheet);
    const added = await machine.salon('clients', 'create', '--file', 'new.csv', '--yes', '--json');
    expect([added.exitCode, (await machine.all()).length], added.stderr).toEqual([0, 67]);
    const undone = await machine.salon('jobs', 'undo', JSON.parse(added.stdout).job, '--yes', '--json');
    expect(undone.exitCode, undone.stderr).toBe(0);
    expect(JSON.parse(undone.stdout)).toMatchObject({ done: 7 });
    expect(await machine.all()).toEqual(before);
  });
});

describe.each([
  ['Feathers', feathers],
  ['json-server', jsonServer],
] as const)('%s, of which nothing is declared', (_name, kind) => {
  it.each([
    ['clients list --json'],
    ['clients list -o clients.csv'],
    ['clients list --search client11 --json'],
    ['clients duplicates --json'],
    ['clients create --file new.csv --yes --json'],
    ['clients delete --all --yes --max-changes 99 --json'],
    ['clients delete client5@example.com --yes'],
  ])('refuses salon %s, with what mends it', async (line) => {
    await using machine = await connect({ kind, via: { dialect: { prefix: '' } } }, { count: 60 });
    const before = await machine.all();
    writeFileSync(join(machine.home, 'new.csv'), sheet);
    const ran = await machine.salon(...line.split(' '));
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' });
    for (const command of ['salon profiles detect', 'salon profiles show --dialect > dialect.json'])
      expect(ran.stderr).toContain(command);
    expect(await machine.all()).toEqual(before);
  });
});

describe('a filter by a field that no row has', () => {
  const flags = ['clients', 'list', '--updated-since', '2026-01-01', '--json'];

  it('leaves no row out in silence, and none out of an export for ever', async () => {
    await using server = await feathers.open({ count: 60 });
    for (const row of server.all()) server.store.replace(String(row['id']), withoutTimes(row));
    using machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_CONFIG_DIR: 'config' } });
    writeProfile(machine, server.baseUrl, paged[0]?.[2] ?? {});
    const ran = await machine.salon(flags);
    expect([ran.exitCode, JSON.parse(ran.stdout).length], ran.stderr).toEqual([0, 60]);
    expect(ran.stderr).toContain('no row shows it: the rows are not filtered by it');
    expect(await machine.salon([...flags, '--strict'])).toMatchObject({ exitCode: 3 });
    const change = ['clients', 'update', '--updated-since', '2026-01-01', '--set', 'notes=x', '--yes'];
    const refused = await machine.salon(change);
    expect(refused.exitCode, refused.stdout).not.toBe(0);
    expect(server.all().some((row) => row['notes'] === 'x')).toBe(false);
  });
});

function withoutTimes({ created_at: _created, updated_at: _updated, ...row }: Row): Row {
  return row;
}
