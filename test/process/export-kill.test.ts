import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ExportServer, openExportServer } from '../support/export-server.ts';
import { createHome, finish, type Home, runHere, startSalon } from '../support/salon-process.ts';
import { bySpeed } from '../support/speed.ts';
import { until } from '../support/until.ts';

const kills = bySpeed({ full: 3, long: 300 });

/** Exports the list; killed after this many requests and then this many event loop turns. */
async function exportKilled(
  server: ExportServer,
  home: Home,
  { after, turns }: { after: number; turns: number },
) {
  const argv = ['clients', 'list', '-o', 'clients.json', '--manifest', '--concurrency', '2'];
  const before = server.received.length;
  const child = startSalon(argv, { home, env: envOf(server) });
  const finished = finish(child);
  let isOver = false;
  finished.then(() => {
    isOver = true;
  });
  await until(() => isOver || server.received.length >= before + after);
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
  child.kill('SIGKILL');
  return finished;
}

function envOf(server: ExportServer) {
  return { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' };
}

function jobsOf(home: Home): string[] {
  const folder = `${home.folder}/data/jobs`;
  return existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('.')) : [];
}

describe('a killed export', () => {
  it(`never leaves a partial file at ${kills} moments, and resumes to the same file`, {
    timeout: 600_000,
  }, async () => {
    await using server = await openExportServer({ rows: 1_000, perPage: 20 });
    using plain = createHome();
    const whole = await runHere(['clients', 'list', '-o', 'clients.json'], {
      home: plain,
      env: envOf(server),
    });
    expect(whole.exitCode, whole.stderr).toBe(0);
    const expected = readFileSync(`${plain.folder}/clients.json`, 'utf8');
    let resumed = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      using home = createHome();
      const target = `${home.folder}/clients.json`;
      await exportKilled(server, home, { after: 1 + ((kill * 17) % 51), turns: (kill * 37) % 100 });
      if (existsSync(target)) expect(readFileSync(target, 'utf8')).toBe(expected);
      const [job] = jobsOf(home);
      if (job === undefined) continue;
      const asked = server.received.length;
      const { exitCode, stderr } = await runHere(['jobs', 'resume', job], { home, env: envOf(server) });
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(readFileSync(target, 'utf8'), `kill ${kill}`).toBe(expected);
      expect(server.received.length - asked).toBeLessThanOrEqual(53);
      expect(JSON.parse(readFileSync(`${target}.manifest.json`, 'utf8'))).toMatchObject({ rows: 1_000 });
      expect(readdirSync(home.folder).sort()).toEqual([
        'clients.json',
        'clients.json.manifest.json',
        'clients.json.sha256',
        'data',
      ]);
      resumed += 1;
    }
    expect(resumed).toBeGreaterThanOrEqual(kills / 2);
  });

  it('that is killed again while resuming still gives the same file', {
    timeout: 600_000,
  }, async () => {
    await using server = await openExportServer({ rows: 1_000, perPage: 20 });
    using home = createHome();
    await exportKilled(server, home, { after: 20, turns: 0 });
    const [job = ''] = jobsOf(home);
    for (let times = 0; times < 4; times += 1) {
      const before = server.received.length;
      const child = startSalon(['jobs', 'resume', job, '--concurrency', '1'], { home, env: envOf(server) });
      // So few that the list does not end before the last kill.
      await until(() => server.received.length >= before + 5);
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    expect((await runHere(['jobs', 'resume', job], { home, env: envOf(server) })).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(`${home.folder}/clients.json`, 'utf8'))).toEqual(server.rows);
  });
});

describe('an interrupted export', () => {
  it('keeps its rows, prints the resume command and exits with 130', async () => {
    await using server = await openExportServer({ rows: 1_000, perPage: 20 });
    using home = createHome();
    const argv = ['clients', 'list', '-o', 'clients.csv', '--concurrency', '1'];
    const child = startSalon(argv, { home, env: envOf(server) });
    const finished = finish(child);
    await until(() => server.received.length >= 10);
    child.kill('SIGINT');
    const { exitCode, stderr } = await finished;
    expect(exitCode, stderr).toBe(130);
    const [, command = ''] = /Resume with: salon (.+)\n/.exec(stderr) ?? [];
    expect(stderr).toMatch(/^ {2}\d+ clients are in clients\.csv\.partial\./m);
    const resumed = await runHere(command.split(' '), { home, env: envOf(server) });
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(readdirSync(home.folder).sort()).toEqual(['clients.csv', 'data']);
    await runHere(['clients', 'list', '-o', 'again.csv'], { home, env: envOf(server) });
    expect(readFileSync(`${home.folder}/clients.csv`)).toEqual(readFileSync(`${home.folder}/again.csv`));
  });
});
