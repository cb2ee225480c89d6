import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { addHostileRecords, columnsOf, expectNoChange, formats, list, nouns } from './own-sheets.ts';

let world: EditWorld;

beforeAll(async () => {
  world = await openEditWorld({ clients: 0 });
  await addHostileRecords(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe.each(nouns)('a list of %s', (noun) => {
  it.each(
    formats.flatMap(([title, file, ...flags]) =>
      (['default', 'all'] as const).map((columns) => ({ title, columns, file, flags })),
    ),
  )('as $title with $columns columns changes nothing when it is read', async ({ columns, file, flags }) => {
    const path = await list(world, noun, { file, flags: [...columnsOf[noun][columns], ...flags] });
    await expectNoChange(world, noun, path);
  });
});

describe('tab-separated text', () => {
  it.each([
    ['in quotes, as other programs write it', 'ID\tLast Name\r\nCLI\t"Costa, ""Ana"""\r\n', 'Costa, "Ana"'],
    ['in needless quotes, as Excel writes them', 'ID\tLast Name\r\nCLI\t"Costa, Ana"\r\n', 'Costa, Ana'],
    ['with lines in quotes, as Excel writes them', 'ID\tLast Name\r\nCLI\t"Costa\nAna"\r\n', 'Costa\nAna'],
    ['with bare quotes, as we write into a pipe', 'id\tlast_name\nCLI\t"Ana" Costa\n', '"Ana" Costa'],
  ])('is read %s', async (_title, sheet, name) => {
    const [{ id } = { id: '' }] = await world.clients();
    world.write('typed.tsv', sheet.replace('CLI', id));
    const planned = await world.read<object[]>(['clients', 'update', '--file', 'typed.tsv', '--dry-run']);
    expect(planned).toMatchObject([{ field: 'last_name', new: name }]);
  });

  it('is refused where a mark may be a line break', async () => {
    const [{ id } = { id: '' }] = await world.clients();
    world.write('typed.tsv', `id\tnotes\n${id}\tone⏎two, and three\n`);
    const planned = await world.read<object[]>(['clients', 'update', '--file', 'typed.tsv', '--dry-run']);
    expect(planned).toMatchObject([{ act: 'refused', reason: expect.stringContaining('marks such as ⏎') }]);
  });
});
