import { expect, it } from 'vitest';
import { openChangedSalon } from '../../support/changed-salon.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { writeAtRandom } from '../../support/random-writes.ts';
import { bySpeed } from '../../support/speed.ts';

const rounds = bySpeed({ full: 6, long: 60 });

it.each([
  ['clients list', 11],
  ['appointments list --status confirmed,cancelled', 12],
  ['payments list --status completed', 13],
])(`has the rows of %s after ${rounds} exports of changes that others make meanwhile`, async (list, seed) => {
  await using world = await openChangedSalon({ clients: 20, appointments: 40 });
  const random = createRandomNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const copy = new Map<unknown, object>();
  const line = `${list} -o out.ndjson --since-last --state state.json --include-deleted --retries 0`;
  let resumed = 0;

  const write = (count: number) =>
    world.account.asOperator(async (by) => {
      for (let done = 0; done < count; ) if ((await writeAtRandom(by, random)) !== undefined) done += 1;
    });

  /** Exports what has changed, maybe in two runs, and folds the rows. Returns whether it was exported. */
  async function follow(losesFrom: number): Promise<boolean> {
    world.losesFrom = losesFrom;
    let ran = await world.salon(line);
    world.losesFrom = Number.POSITIVE_INFINITY;
    const [, id] = /Resume with: salon jobs resume ([\w-]+)/.exec(ran.stderr) ?? [];
    if (id !== undefined) {
      await write(5);
      ran = await world.salon(`jobs resume ${id}`);
      expect(ran.exitCode, ran.stderr).toBe(0);
      resumed += 1;
    } else if (ran.exitCode !== 0) return false;
    expect(ran.stderr).not.toContain('Everything is exported');
    for (const { deleted, ...row } of world.readRows('out.ndjson')) {
      if (deleted === true) copy.delete(row['id']);
      else copy.set(row['id'], row);
    }
    return true;
  }

  await follow(Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    const isLong = round % 2 === 0;
    await write(isLong ? 500 : 20);
    // The fifth request is that of the third page.
    await Promise.all([follow(isLong ? 5 : 1 + below(4)), write(30)]);
    expect(await follow(Number.POSITIVE_INFINITY)).toBe(true);
    const { stdout } = await world.salon(`${list} --json`);
    const rows: { id: string }[] = JSON.parse(stdout);
    expect(Object.fromEntries(copy)).toEqual(Object.fromEntries(rows.map((row) => [row.id, row])));
  }
  expect(resumed).toBeGreaterThan(0);
});
