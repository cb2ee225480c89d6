import { afterAll, beforeAll, describe, it } from 'vitest';
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
