import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';
import { createMachine, type Machine } from '../../support/io.ts';

let world: ExportSalon;
/** Another machine, with nothing but the two files. */
let fresh: Machine;

beforeEach(async () => {
  world = await openExportSalon();
  fresh = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_API_KEY: 'k' } });
});
afterEach(async () => {
  fresh[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

const files = ['clients.csv.partial', 'clients.csv.partial.job'] as const;

async function stop(line = 'clients list -o clients.csv'): Promise<string> {
  const id = await world.exportUpTo(3, line);
  for (const name of files) copyFileSync(`${world.home}/${name}`, `${fresh.home}/${name}`);
  return id;
}

function resume(argument: string = files[0], env: Readonly<Record<string, string>> = {}) {
  return fresh.salon(['jobs', 'resume', argument], { env: { SALON_BASE_URL: world.server.origin, ...env } });
}

const inFresh = (name: string) => join(fresh.home, name);

describe('a .partial file in a fresh container', () => {
  it.each(files)('is enough to resume, given as %s', async (argument) => {
    await world.salon('clients list -o whole.csv');
    await stop();
    const before = world.server.received.length;
    const ran = await resume(argument);
    expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
    expect(ran.stderr).toContain('Resuming after 60 of 450 clients.');
    expect(readFileSync(inFresh('clients.csv'), 'utf8')).toBe(world.read('whole.csv'));
    const pages = world.server.received.slice(before).map(({ query }) => query.get('page'));
    expect(pages).not.toContain('1');
    expect(readdirSync(fresh.home).toSorted()).toEqual(['clients.csv', 'data']);
  });

  it('continues once more when it stops again', async () => {
    await world.salon('clients list -o whole.csv');
    const id = await stop();
    world.failFrom(5);
    const again = await resume(files[0], {});
    expect(again).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(`jobs resume ${id}`) });
    world.server.instead = () => undefined;
    rmSync(inFresh('data'), { recursive: true });
    expect(await resume()).toMatchObject({ exitCode: 0 });
    expect(readFileSync(inFresh('clients.csv'), 'utf8')).toBe(world.read('whole.csv'));
  });

  it.each<[string, () => void, string]>([
    ['has no checkpoint', () => rmSync(inFresh(files[1])), 'no usable checkpoint'],
    [
      'has a damaged checkpoint',
      () => writeFileSync(inFresh(files[1]), 'x'.repeat(99)),
      'no usable checkpoint',
    ],
    [
      'has other rows',
      () => writeFileSync(inFresh(files[0]), 'id\nx\n'.repeat(999)),
      'does not have the rows',
    ],
    ['is missing', () => rmSync(inFresh(files[0])), 'does not have the rows'],
    ['is in place of a folder', () => mkdirSync(inFresh('clients.csv')), 'it is a folder'],
  ])('is refused where it %s', async (_title, damage, reason) => {
    await stop();
    damage();
    const before = world.server.received.length;
    const ran = await resume();
    expect(ran.stderr).toContain(reason);
    expect(ran).toMatchObject({ stdout: '' });
    expect([2, 5]).toContain(ran.exitCode);
    expect(world.server.received).toHaveLength(before);
    expect(existsSync(inFresh('data/jobs'))).toBe(false);
  });

  it('is refused for another server, and for another key of an unknown account', async () => {
    await stop();
    await using other = await openExportSalon();
    const elsewhere = await resume(files[0], { SALON_BASE_URL: other.server.origin });
    expect(elsewhere).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('belongs to') });
    expect(other.server.received).toEqual([]);
    const before = world.server.received.length;
    const ran = await resume(files[0], { SALON_API_KEY: 'another' });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('another API key') });
    expect(world.server.received).toHaveLength(before);
  });

  it('is resumed with another key of the account that the server names', async () => {
    await world[Symbol.asyncDispose]();
    world = await openExportSalon({ account: 'acc_1' });
    await stop();
    const ran = await resume(files[0], { SALON_API_KEY: 'another' });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
  });

  it.each(['clients.csv', 'job', 'tmp'])('is found from %s after a kill', async (given) => {
    const id = await stop();
    renameSync(inFresh(files[0]), inFresh(`.salon-${id}.tmp`));
    renameSync(inFresh(files[1]), inFresh(`.salon-${id}.job`));
    writeFileSync(inFresh(`.salon-${id}.lock`), '');
    const ran = await resume(given.includes('.') ? given : `.salon-${id}.${given}`);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Resuming after') });
    expect(readdirSync(fresh.home).toSorted()).toEqual(['clients.csv', 'data']);
  });

  it('cannot make the command write another file, even if its checkpoint was forged', async () => {
    await stop();
    const [head = '', ...rest] = readFileSync(inFresh(files[1]), 'utf8').split('\n');
    const forged = JSON.parse(head.slice(9));
    forged.job.work.output = inFresh('victim.csv');
    forged.job.work.state = { path: inFresh('victim.json'), text: 'forged' };
    writeCheckpoint(forged, rest);
    expect(await resume()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('is not saved') });
    expect(readdirSync(fresh.home).toSorted()).toEqual(['clients.csv', 'data']);
  });

  it.each(['../../../../tmp/20261121-100000-abcdef', 'x', ''])(
    'with the job ID %j is refused',
    async (id) => {
      await stop();
      const [head = '', ...rest] = readFileSync(inFresh(files[1]), 'utf8').split('\n');
      const forged = JSON.parse(head.slice(9));
      writeCheckpoint({ ...forged, job: { ...forged.job, id } }, rest);
      const ran = await resume();
      expect(ran).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining('no usable checkpoint'),
      });
    },
  );
});

function writeCheckpoint(head: object, rest: readonly string[]): void {
  const text = JSON.stringify(head);
  const line = `${crc32(text).toString(16).padStart(8, '0')} ${text}`;
  writeFileSync(inFresh(files[1]), [line, ...rest].join('\n'));
}

describe('an export to the file of an unfinished one', () => {
  it('mentions the unfinished job, and removes what it left when complete', async () => {
    const id = await stop();
    const again = await world.exportUpTo(2, 'clients list -o clients.csv');
    expect(again).not.toBe(id);
    world.failFrom(3);
    const third = await world.salon('clients list -o clients.csv --retries 0');
    expect(third.stderr).toMatch(
      /An earlier export to this file is unfinished\. Resume it with: salon jobs resume \S+\n/,
    );
    world.server.instead = () => undefined;
    // What a killed process leaves.
    for (const kind of ['tmp', 'lock']) writeFileSync(`${world.home}/.salon-${id}.${kind}`, '');
    expect((await world.salon('clients list -o clients.csv')).exitCode).toBe(0);
    expect(readdirSync(world.home).toSorted()).toEqual(['clients.csv', 'data']);
  });
});
