import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columnSet } from '../../../src/cli/output/columns.ts';
import { createPlainWriter } from '../../../src/cli/output/record.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld({ clients: 2 });
});
afterAll(() => world[Symbol.asyncDispose]());

const terminal = { columns: 80 };
const list = ['clients', 'list', '-c', 'id,first_name'];

describe('--plain', () => {
  it('lists one field per line at a terminal, without a pager', async () => {
    const ran = await world.salon([...list, '--plain'], { ...terminal, rows: 2, env: { PAGER: 'false' } });
    const blocks = (await world.clients()).map(
      ({ id, first_name }) => `ID: ${id}\nFirst name: ${first_name ?? '(nothing)'}\n`,
    );
    expect(ran).toMatchObject({ exitCode: 0, stdout: blocks.join('\n') });
  });

  it('prints no colour even if FORCE_COLOR is set', async () => {
    const env = { FORCE_COLOR: '1', SALON_PLAIN: '1' };
    const ran = await world.salon(['appointments', 'list'], { ...terminal, env });
    const [client] = await world.clients();
    const one = await world.salon(['clients', 'get', client?.id ?? ''], { ...terminal, env });
    expect(one.stdout).toContain(`ID: ${client?.id}\n`);
    expect(ran.stdout + one.stdout).not.toContain('\u001b');
    for (const line of ['free tomorrow', 'report revenue', 'calendar', 'today']) {
      const { exitCode, stdout } = await world.salon(line.split(' '), { ...terminal, env });
      expect({ exitCode, hasColor: stdout.includes('\u001b') }).toEqual({ exitCode: 0, hasColor: false });
    }
  });

  it('does not change machine formats', async () => {
    expect(await world.salon([...list, '--plain'])).toEqual(await world.salon(list));
  });
});

const columns = columnSet({ id: 'text', start_time: 'instant', notes: 'text', tags: 'text' }).all;
const rows = [
  { id: 'apt_1', start_time: '2026-11-24T09:30:00Z', notes: 'colour\nno dryer', tags: ['vip', 'new'] },
  { id: 'apt_2', start_time: null, notes: 'a\u001b[31mb', tags: [] },
];

describe('createPlainPrinter', () => {
  it('prints one field per line and a blank line between records and pages', () => {
    const writer = createPlainWriter({ columns, timeZone: 'Europe/Berlin' });
    const [first, second] = rows.map((row) => writer.rows([row]));
    expect(`${first}${second}`).toBe(
      [
        'Times are in Europe/Berlin.',
        '',
        'ID: apt_1',
        'Start: 2026-11-24 10:30',
        'Notes: colour',
        'no dryer',
        'Tags: vip, new',
        '',
        'ID: apt_2',
        'Start: (nothing)',
        'Notes: a␛[31mb',
        'Tags: (nothing)',
        '',
      ].join('\n'),
    );
  });

  it('prints no time zone without times', () => {
    const writer = createPlainWriter({ columns: columns.slice(0, 1), timeZone: 'UTC' });
    expect(writer.rows(rows)).toBe('ID: apt_1\n\nID: apt_2\n');
  });

  it('prints the members of an object as fields', () => {
    const writer = createPlainWriter({ timeZone: 'UTC' });
    expect(writer.rows([{ account: { id: 'a', name: 'Aurora' } }])).toBe(
      'account.id: a\naccount.name: Aurora\n',
    );
  });
});
