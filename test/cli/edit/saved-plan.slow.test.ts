import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 6 });
});
afterEach(() => world[Symbol.asyncDispose]());

async function savePlan(argv: readonly string[], name: string): Promise<string> {
  const ran = await world.salon([...argv, '--plan-file', name]);
  expect(ran.exitCode, ran.stderr).toBe(0);
  return /fingerprint ([0-9a-f]{16})\./.exec(ran.stderr)?.[1] ?? ran.stderr;
}

async function saveUpdate(notes: string): Promise<string> {
  world.writeSheet(
    `${notes}.csv`,
    (await world.clients()).map(({ id }) => ({ id, notes })),
  );
  return savePlan(['clients', 'update', '--file', `${notes}.csv`], `${notes}.json`);
}

const notes = async () => (await world.clients()).map((client) => client['notes']);

describe('a saved plan', () => {
  it('is applied only if it has the expected fingerprint', async () => {
    const [one, two] = [await saveUpdate('one'), await saveUpdate('two')];
    expect(one).not.toBe(two);
    const wrong = await world.salon(['jobs', 'apply', 'two.json', '--expect', one, '--yes']);
    expect(wrong).toMatchObject({
      exitCode: 7,
      stdout: '',
      stderr: expect.stringContaining(`fingerprint ${two}, not`),
    });
    expect(await world.salon(['jobs', 'apply', 'two.json', '--expect', 'x'])).toMatchObject({ exitCode: 2 });
    expect(await notes()).not.toContain('two');
    const preview = await world.salon(['jobs', 'apply', 'two.json', '--dry-run']);
    expect(preview.stderr).toContain(`Plan two.json, fingerprint ${two}\n`);
    const right = await world.salon(['jobs', 'apply', 'two.json', '--expect', two, '--yes']);
    expect(right.exitCode, right.stderr).toBe(0);
    expect(new Set(await notes())).toEqual(new Set(['two']));
  });

  it('has the SHA-256 in its last member, which --expect takes as well', async () => {
    await saveUpdate('one');
    const { sha256 } = JSON.parse(readFileSync(world.pathOf('one.json'), 'utf8'));
    const ran = await world.salon(['jobs', 'apply', 'one.json', '--expect', sha256, '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
  });

  it('with a deletion smuggled into an update is refused, although its digest is right', async () => {
    await saveUpdate('one');
    const path = world.pathOf('one.json');
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[2] = (lines[2] ?? '').replace('"act":"update"', '"act":"delete"');
    const covered = lines.join('\n').replace(/,"sha256":"[0-9a-f]+"\}\n$/, '');
    const sha256 = createHash('sha256').update(covered).digest('hex');
    world.write('one.json', `${covered},"sha256":"${sha256}"}\n`);
    const ran = await world.salon(['jobs', 'apply', 'one.json', '--yes']);
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('line 3 deletes a record, but the plan changes records');
    expect(await world.clients()).toHaveLength(6);
    expect(await notes()).not.toContain('one');
  });

  it('of deletions says so wherever it counts them', async () => {
    world.writeSheet(
      'gone.csv',
      (await world.clients()).slice(0, 3).map(({ id }) => ({ id })),
    );
    const argv = ['clients', 'delete', '--file', 'gone.csv'];
    await savePlan(argv, 'gone.json');
    const asked = await world.salon(['jobs', 'apply', 'gone.json']);
    expect(asked).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('3 clients will be deleted'),
    });
    expect(asked.stderr).toContain('Delete 3 clients at ');
    const forced = await world.salon([...argv, '--force']);
    expect(forced.stderr).toContain('Delete 3 clients and cancel their upcoming appointments at ');
    const limited = await world.salon(['jobs', 'apply', 'gone.json', '--max-changes', '2']);
    expect(limited).toMatchObject({
      exitCode: 8,
      stderr: expect.stringContaining('3 records would be deleted'),
    });
    const done = await world.salon(['jobs', 'apply', 'gone.json', '--yes']);
    expect(done).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('3 clients deleted.') });
    expect(done.stderr).not.toContain('change');
    const job = /jobs undo (\S+)/.exec(done.stderr)?.[1] ?? '';
    const undone = await world.salon(['jobs', 'undo', job, '--yes']);
    expect(undone.stderr).toContain('3 clients will be restored.');
    expect(undone.stderr).toContain('3 clients restored.');
  });
});
