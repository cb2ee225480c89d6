import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';

let world: EditWorld;

beforeEach(async () => {
  world = await openEditWorld({ clients: 6 });
});
afterEach(() => world[Symbol.asyncDispose]());

async function update(notes: string): Promise<string> {
  world.writeSheet(
    'notes.csv',
    (await world.clients()).map(({ id }) => ({ id, notes })),
  );
  const ran = await world.salon(['clients', 'update', '--file', 'notes.csv', '--yes']);
  expect(ran.exitCode, ran.stderr).toBe(0);
  const job = /jobs undo (\S+)/.exec(ran.stderr)?.[1];
  if (job === undefined) throw new Error(ran.stderr);
  return job;
}

const fileOf = (job: string, name: string) => world.pathOf(join('data/jobs', job, name));

/** Ways to damage a job. */
const damages: readonly [string, (job: string) => void][] = [
  ['garbage for job.json', (job) => writeFileSync(fileOf(job, 'job.json'), 'PK\u0003\u0004\0garbage')],
  ['job.json cut off', (job) => truncateSync(fileOf(job, 'job.json'), 40)],
  ['a folder for job.json', (job) => replaceByFolder(fileOf(job, 'job.json'))],
  ['job.json of a later version', (job) => replace(job, '"version": 1', '"version": 9')],
  ['a folder for the journal', (job) => replaceByFolder(fileOf(job, 'journal'))],
];

function replaceByFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

function replace(job: string, from: string, to: string): void {
  const path = fileOf(job, 'job.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

describe('a damaged job', () => {
  it.each(damages)('with %s is listed as such and hides no other', async (_title, damage) => {
    const [first, second] = [await update('one'), await update('two')];
    damage(second);
    const listed = await world.read<readonly object[]>(['jobs', 'list']);
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(expect.objectContaining({ id: second, state: 'damaged' }));
    expect(listed).toContainEqual(expect.objectContaining({ id: first, state: 'done' }));
    const shown = await world.read<object>(['jobs', 'show', second]);
    expect(shown).toMatchObject({ state: 'damaged', reason: expect.stringMatching(/^Cannot read /) });
    expect(await world.salon(['jobs', 'undo', first, '--yes'])).toMatchObject({ exitCode: 3 });
  });

  it.each(damages)('with %s is refused by everything but remove', async (_title, damage) => {
    const job = await update('one');
    damage(job);
    for (const argv of [
      ['resume', job],
      ['undo', job, '--yes'],
      ['results', job],
    ]) {
      const ran = await world.salon(['jobs', ...argv]);
      expect(ran).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringMatching(/^error: Cannot read /),
      });
    }
    expect(await world.salon(['jobs', 'remove', job])).toMatchObject({ exitCode: 8 });
    expect(await world.salon(['jobs', 'remove', job, '--yes'])).toMatchObject({ exitCode: 0, stdout: '' });
    expect(world.jobs()).toEqual([]);
  });

  it('still counts as the undo of another, judging by its plan', async () => {
    const job = await update('one');
    const path = fileOf(job, 'journal');
    const undo = await world.salon(['jobs', 'undo', job, '--yes']);
    const [undoId = ''] = /\d{8}-\d{6}-\w{6}(?=\/results)/.exec(undo.stderr) ?? [];
    writeFileSync(fileOf(undoId, 'job.json'), '');
    writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 2).concat('').join('\n'));
    expect(await world.salon(['jobs', 'resume', job])).toMatchObject({
      exitCode: 7,
      stderr: expect.stringContaining(`was undone by job ${undoId}`),
    });
  });
});

describe('a journal with noise in its middle', () => {
  it('creates nobody twice on resume and keeps what follows the noise', async () => {
    world.write('new.csv', 'first_name\nAda\nBo\nCy\n');
    const ran = await world.salon(['clients', 'create', '--file', 'new.csv', '--yes']);
    expect(ran.exitCode, ran.stderr).toBe(0);
    const [job = ''] = world.jobs();
    const lines = readFileSync(fileOf(job, 'journal'), 'latin1').split('\n').slice(0, -2);
    // The outcome of row 1 and the end are lost.
    const kept = lines.filter((line) => !line.includes('"done"') || !line.includes('"row":1'));
    writeFileSync(fileOf(job, 'journal'), ['\0\xff noise', ...kept, ''].join('\n'), 'latin1');
    expect(await world.read<object[]>(['jobs', 'results', job, '--failed'])).toMatchObject([
      { line: 2, result: 'doubtful' },
    ]);
    const resumed = await world.salon(['jobs', 'resume', job]);
    expect(resumed).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('The journal of the job is damaged'),
    });
    const names = (await world.clients()).map(({ first_name }) => first_name);
    expect(names.filter((name) => ['Ada', 'Bo', 'Cy'].includes(String(name)))).toEqual(['Ada', 'Bo', 'Cy']);
  });
});

describe('a data folder that cannot be written', () => {
  it.each([
    ['a file in its place', () => world.write('data', ''), 'data'],
    ['a system folder in its place', () => {}, '/proc/salon'],
  ])(
    'stops a bulk edit with %s before anything is sent, and names the way out',
    async (_title, prepare, folder) => {
      prepare();
      world.writeSheet('notes.csv', [{ id: (await world.clients())[0]?.id, notes: 'new' }]);
      const env = { SALON_DATA_DIR: folder };
      const ran = await world.salon(['clients', 'update', '--file', 'notes.csv', '--yes'], { env });
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toMatch(
        /error: Cannot store jobs in .*\n {2}Set SALON_DATA_DIR to a folder that you can write to\.\n$/,
      );
      expect((await world.clients())[0]?.['notes']).not.toBe('new');
      const listed = await world.salon(['clients', 'list', '--limit', '1', '-f', 'csv'], { env });
      expect(listed.exitCode, listed.stderr).toBe(0);
    },
  );

  it('that holds a damaged state file stops a bulk edit and says what to do', async () => {
    await update('one');
    writeFileSync(world.pathOf('data/jobs/.state.db'), 'noise '.repeat(2_000));
    world.writeSheet('notes.csv', [{ id: (await world.clients())[0]?.id, notes: 'new' }]);
    const ran = await world.salon(['clients', 'update', '--file', 'notes.csv', '--yes']);
    expect(ran).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining('.state.db is damaged'),
    });
    expect((await world.clients())[0]?.['notes']).toBe('one');
    expect(existsSync(world.pathOf('data/jobs/.state.db'))).toBe(true);
    expect(await world.salon(['jobs', 'list'])).toMatchObject({ exitCode: 0 });
  });
});
