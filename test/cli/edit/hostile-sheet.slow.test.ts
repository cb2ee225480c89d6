import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxRowLength } from '../../../src/bulk/sheet/sheet-form.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const update = ['clients', 'update', '--file'];

describe('a hostile sheet', () => {
  it.each([
    ['a column that every object has', [], 'id,constructor\nID,x\n', 'no field constructor'],
    [
      'such a column, where all are allowed',
      ['--allow-new-fields'],
      'id,toString\nID,x\n',
      'no field toString',
    ],
    ['__proto__ as a column', ['--allow-new-fields'], 'id,__proto__\nID,x\n', 'cannot be named __proto__'],
    [
      '__proto__ as a member',
      ['--allow-new-fields'],
      '{"id":"ID","__proto__":{"notes":"x"}}\n',
      'no field __proto__',
    ],
    ['.. as an ID', [], 'id,notes\n..,x\n', 'is not a valid ID'],
    ['another path as an ID', [], 'id,notes\nID/../me,x\n', 'is not a valid ID'],
    ['a match with nothing that is known', ['--match', 'mail'], 'mail,notes\nx,y\n', 'Did you mean email?'],
    ['300 unknown columns', [], `id,${many('column')}\nID,${many('x')}\n`, 'sheet.csv has 300 errors'],
    ['a zero byte', [], 'id,notes\nID,\0\n', 'zero byte'],
    ['a budget for failures of none', ['--max-errors', '0'], 'id,notes\nID,x\n', '--max-errors needs'],
    ['a budget that is no number', ['--max-changes', 'NaN'], 'id,notes\nID,x\n', 'Invalid --max-changes'],
    ['a share below nothing', ['--max-clears', '-5%'], 'id,notes\nID,x\n', 'Invalid --max-clears'],
  ])('with %s is refused before anything is sent', async (_title, flags, text, said) => {
    const [one] = await world.clients();
    world.write('sheet.csv', text.replace('ID', one?.id ?? ''));
    const ran = await world.salon([...update, 'sheet.csv', '--yes', ...flags]);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said) });
    expect((await world.clients())[0]).toEqual(one);
  });

  it('with __proto__ as a value writes that text', async () => {
    const [one] = await world.clients();
    world.write('sheet.csv', `id,notes,tags\n${one?.id},__proto__,__proto__\n`);
    expect(await world.salon([...update, 'sheet.csv', '--yes'])).toMatchObject({ exitCode: 0 });
    expect((await world.clients())[0]).toMatchObject({ notes: '__proto__', tags: ['__proto__'] });
  });

  it('with a very long line reports it once', async () => {
    const [one] = await world.clients();
    world.write('sheet.csv', `id,notes\n${one?.id},${'x'.repeat(4 * maxRowLength)}\ncli_9,a,b\n`);
    const ran = await world.salon([...update, 'sheet.csv', '--yes']);
    expect(ran.exitCode).toBe(2);
    expect(ran.stderr.split('\n').filter((line) => line.includes('  sheet.csv:'))).toEqual([
      expect.stringContaining('sheet.csv:2: The row is longer than 1 MiB'),
      expect.stringContaining('sheet.csv:3: The row has 3 cells'),
    ]);
  });
});

describe('input that is not a sheet', () => {
  it.each([
    ['a folder', '.', 'is a folder'],
    ['a missing file', 'nowhere.csv', 'no such file'],
    ['nothing at all', '/dev/null', 'is empty'],
  ])('%s is refused', async (_title, from, said) => {
    const ran = await world.salon([...update, from, '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
  });

  it('stops waiting for standard input on Ctrl-C', async () => {
    const interrupt = new AbortController();
    const running = world.salon([...update, '-'], { signal: interrupt.signal, stdinStaysOpen: true });
    interrupt.abort('SIGINT');
    expect(await running).toMatchObject({ exitCode: 130 });
  });
});

function many(name: string): string {
  return Array.from({ length: 300 }, (_, index) => `${name}${index}`).join(',');
}
