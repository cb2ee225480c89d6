import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type ExportServer, openExportServer } from '../support/export-server.ts';
import { body } from '../support/misbehaving-server.ts';
import { createHome, finish, type Home, runHere, startSalon } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';
import { until } from '../support/until.ts';

const kills = bySpeed({ full: 4, long: 200 });
const names = ['clients.csv.partial', 'clients.csv.partial.job'] as const;

const envOf = (server: ExportServer) => ({
  SALON_BASE_URL: server.origin,
  SALON_API_KEY: 'k',
  SALON_DATA_DIR: 'data',
});

/** What the process has done when it is killed, some event loop turns later. */
const moments: readonly ((folder: string, failures: number) => boolean)[] = [
  (_folder, failures) => failures > 0,
  (folder) => existsSync(join(folder, names[0])),
  (folder) => readdirSync(folder).some((name) => /^\.salon-.+\.job$/.test(name)),
  (folder) => existsSync(join(folder, names[1])),
];

/** An export whose server fails at a page, killed at a moment. */
async function exportKilled(server: ExportServer, home: Home, kill: number): Promise<void> {
  let failures = 0;
  server.instead = (page) => {
    if (page < 20) return undefined;
    failures += 1;
    return body('', { status: 500 });
  };
  const argv = ['clients', 'list', '-o', 'clients.csv', '--retries', '0', '--concurrency', '1'];
  const child = startSalon(argv, { home, env: envOf(server) });
  const finished = finish(child);
  let isOver = false;
  finished.then(() => {
    isOver = true;
  });
  const isReached = moments[kill % moments.length];
  await until(() => isOver || isReached?.(home.folder, failures) === true);
  for (let turn = 0; turn < kill * 3; turn += 1) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await finished;
  server.instead = () => undefined;
}

it(`an export killed at ${kills} moments while it keeps its rows is resumed here or elsewhere, or refused`, {
  timeout: 600_000,
}, async () => {
  await using server = await openExportServer({ rows: 1_000, perPage: 20 });
  using plain = createHome();
  await runHere(['clients', 'list', '-o', 'clients.csv'], { home: plain, env: envOf(server) });
  const whole = readFileSync(join(plain.folder, 'clients.csv'), 'utf8');
  let elsewhere = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    using home = createHome();
    await exportKilled(server, home, kill);
    expect(existsSync(join(home.folder, 'clients.csv'))).toBe(false);

    using other = createHome();
    const kept = names.filter((name) => existsSync(join(home.folder, name)));
    for (const name of kept) copyFileSync(join(home.folder, name), join(other.folder, name));
    const there = await runHere(['jobs', 'resume', names[0]], { home: other, env: envOf(server) });
    if (kept.length === 2) {
      expect(there, there.stderr).toMatchObject({ exitCode: 0 });
      expect(readFileSync(join(other.folder, 'clients.csv'), 'utf8')).toBe(whole);
      elsewhere += 1;
    } else {
      expect(there).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining('no usable checkpoint'),
      });
      expect(readdirSync(other.folder).toSorted()).toEqual(kept);
    }

    const [job] = readdirSync(join(home.folder, 'data/jobs')).filter((name) => !name.startsWith('.'));
    const here = await runHere(['jobs', 'resume', job ?? ''], { home, env: envOf(server) });
    expect(here, here.stderr).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(home.folder, 'clients.csv'), 'utf8'), `kill ${kill}`).toBe(whole);
    expect(readdirSync(home.folder)).toEqual(['clients.csv', 'data']);
  }
  // A few moments may all be before both files exist.
  if (kills > moments.length) expect(elsewhere).toBeGreaterThan(0);
});
