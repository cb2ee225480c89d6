import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ExportServer, openExportServer } from '../support/export-server.ts';
import { hang } from '../support/misbehaving-server.ts';
import { createHome, finish, type Home, runHere, startSalon } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';
import { until } from '../support/until.ts';

const kills = bySpeed({ full: 5, long: 200 });
const list = ['clients', 'list', '-o', 'clients.csv', '--concurrency', '1'];
const envOf = (server: ExportServer, key = 'k') => ({
  SALON_BASE_URL: server.origin,
  SALON_API_KEY: key,
  SALON_DATA_DIR: 'data',
});

/** What an export leaves on its volume when its container is killed after some requests and turns of the event loop. */
async function exportKilled(
  server: ExportServer,
  home: Home,
  { after, turns }: Record<'after' | 'turns', number>,
) {
  const before = server.received.length;
  const child = startSalon(list, { home, env: envOf(server) });
  const finished = finish(child);
  await until(() => child.exitCode !== null || server.received.length >= before + after);
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await finished;
  rmSync(join(home.folder, 'data'), { recursive: true, force: true });
}

/** Starts an export that has five pages in its temporary file and waits for the sixth. */
async function startHanging(server: ExportServer, home: Home) {
  server.instead = (page) => (page > 5 ? hang : undefined);
  const child = startSalon(list, { home, env: envOf(server) });
  const finished = finish(child);
  await until(() => server.received.some(({ query }) => query.get('page') === '6'));
  const tmp = readdirSync(home.folder).find((name) => name.endsWith('.tmp')) ?? '';
  // The request goes out before the rows of the page before it are written.
  await until(() => readFileSync(join(home.folder, tmp), 'utf8').match(/^cli_/gm)?.length === 100);
  return { child, finished, tmp };
}

const filesOf = ({ folder }: Home) => readdirSync(folder).toSorted();
const exported = ({ folder }: Home) => readFileSync(join(folder, 'clients.csv'), 'utf8');

describe('an export whose container is killed, of which only the folder of the file is left', () => {
  it(`is resumed from there, or started again, at ${kills} moments`, { timeout: 600_000 }, async () => {
    await using server = await openExportServer({ rows: 1_000, perPage: 20 });
    using plain = createHome();
    await runHere(list, { home: plain, env: envOf(server) });
    const whole = exported(plain);
    let resumed = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      using home = createHome();
      await exportKilled(server, home, { after: 1 + ((kill * 17) % 51), turns: (kill * 37) % 100 });
      const isComplete = existsSync(join(home.folder, 'clients.csv'));
      if (isComplete) expect(exported(home)).toBe(whole);
      for (const name of filesOf(home)) {
        if (/\.(?:tmp|job)$/.test(name))
          expect({ name, mode: statSync(join(home.folder, name)).mode & 0o777 }).toEqual({
            name,
            mode: 0o600,
          });
      }
      const asked = server.received.length;
      const argv = kill % 3 === 0 ? list : ['jobs', 'resume', 'clients.csv.partial'];
      const ran = await runHere(argv, { home, env: envOf(server) });
      if (kill % 3 === 0 || ran.exitCode === 0) expect(exported(home), ran.stderr).toBe(whole);
      else
        expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no usable checkpoint') });
      if (/Resuming after \d\d+ of/.test(ran.stderr)) {
        expect(server.received.length - asked).toBeLessThan(51);
        resumed += 1;
      }
      await runHere(list, { home, env: envOf(server) });
      expect(exported(home)).toBe(whole);
      expect(filesOf(home)).toEqual(['clients.csv', 'data']);
    }
    expect(resumed).toBeGreaterThan(kills / 3);
  });

  it('does not resume the rows of other filters, another account or another salon', async () => {
    await using server = await openExportServer({ rows: 1_000, perPage: 20 });
    await using other = await openExportServer({ rows: 7 });
    const resume = ['jobs', 'resume', 'clients.csv.partial'];
    using home = createHome();
    await exportKilled(server, home, { after: 20, turns: 0 });
    expect(await runHere(resume, { home, env: envOf(other) })).toMatchObject({ exitCode: 2 });
    expect(await runHere(resume, { home, env: envOf(server, 'another') })).toMatchObject({ exitCode: 2 });
    const argv = ['clients', 'list', '--limit', '3', '-o', 'clients.csv'];
    expect(await runHere(argv, { home, env: envOf(other) })).toMatchObject({ exitCode: 0 });
    expect(exported(home).match(/^cli_/gm)).toHaveLength(3);
    expect(filesOf(home)).toEqual(['clients.csv', 'data']);
  });

  it('keeps the mode of the file that it replaces, and a new one follows the umask', async () => {
    await using server = await openExportServer({ rows: 60, perPage: 20 });
    using home = createHome();
    await runHere(list, { home, env: envOf(server) });
    const mode = () => statSync(join(home.folder, 'clients.csv')).mode & 0o777;
    expect(mode()).toBe(0o666 & ~process.umask());
  });
});

describe('the temporary file of a live export', () => {
  it('is neither removed nor resumed by another process, whichever container it is in', async () => {
    await using server = await openExportServer({ rows: 200, perPage: 20 });
    using home = createHome();
    const { child, finished, tmp } = await startHanging(server, home);
    const rows = readFileSync(join(home.folder, tmp), 'utf8');
    server.instead = () => undefined;
    const env = { ...envOf(server), SALON_DATA_DIR: 'other-data' };
    const resume = await runHere(['jobs', 'resume', 'clients.csv.partial'], { home, env });
    expect(resume).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no usable checkpoint') });
    expect(await runHere(list, { home, env })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home.folder, tmp), 'utf8')).toBe(rows);
    child.kill('SIGKILL');
    await finished;
    expect(await runHere(list, { home, env })).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(home.folder, tmp))).toBe(false);
  });

  it('is left alone by an export to another file, dead or alive', async () => {
    await using server = await openExportServer({ rows: 200, perPage: 20 });
    using home = createHome();
    await exportKilled(server, home, { after: 6, turns: 50 });
    const left = filesOf(home);
    const other = ['clients', 'list', '-o', 'other.csv'];
    expect(await runHere(other, { home, env: envOf(server) })).toMatchObject({ exitCode: 0 });
    expect(filesOf(home)).toEqual([...left, 'data', 'other.csv'].toSorted());
  });
});
