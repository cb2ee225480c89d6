import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ExportServer, openExportServer } from '../support/export-server.ts';
import { createHome, type Home, launcher, runSalon } from '../support/salon-process.ts';

interface ShellRan {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a shell in the home, where `salon` is the built program. */
function shell(command: string, server: ExportServer, home: Home): Promise<ShellRan> {
  const script = `salon() { "$NODE" "$LAUNCHER" "$@"; }\n${command}`;
  const env = { ...envOf(server), PATH: process.env['PATH'] ?? '', HOME: home.folder };
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', script],
      { cwd: home.folder, env: { ...env, NODE: process.execPath, LAUNCHER: launcher } },
      (error, stdout, stderr) => resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

function envOf(server: ExportServer) {
  return { SALON_BASE_URL: server.origin, SALON_API_KEY: 'k', SALON_DATA_DIR: 'data' };
}

describe.skipIf(process.platform === 'win32')('an export', () => {
  it('keeps the rows that fit on a full disk and resumes when there is room', async () => {
    await using server = await openExportServer({ rows: 2_000, perPage: 100 });
    using home = createHome();
    // A file size limit acts like a full disk: some bytes are written, then none.
    const full = await shell(
      "trap '' XFSZ; ulimit -f 128; salon clients list -f ndjson -o clients.ndjson",
      server,
      home,
    );
    expect(full.exitCode, full.stderr).toBe(3);
    expect(full.stderr).toMatch(/Cannot write .*clients\.ndjson: it would exceed the file size limit\./);
    const rows = readFileSync(`${home.folder}/clients.ndjson.partial`, 'utf8').trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toEqual(server.rows.slice(0, rows.length));
    expect(rows.length % 100).toBe(0);
    const [, id = ''] = /salon jobs resume ([\w-]+)/.exec(full.stderr) ?? [];
    const again = await runSalon(['jobs', 'resume', id], { home, env: envOf(server) });
    expect(again.exitCode, again.stderr).toBe(0);
    const whole = readFileSync(`${home.folder}/clients.ndjson`, 'utf8').trimEnd().split('\n');
    expect(whole.map((row) => JSON.parse(row))).toEqual(server.rows);
    expect(readdirSync(home.folder).sort()).toEqual(['clients.ndjson', 'data']);
  });

  it('writes to a named pipe directly, without a job', async () => {
    await using server = await openExportServer({ rows: 1_000, perPage: 100 });
    using home = createHome();
    const ran = await shell(
      'mkfifo pipe; salon clients list -f ndjson -o pipe & cat pipe; wait $!',
      server,
      home,
    );
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stdout.trimEnd().split('\n')).toHaveLength(1_000);
    expect(existsSync(`${home.folder}/data/jobs`)).toBe(false);
  });

  it('refuses a manifest for a pipe', async () => {
    await using server = await openExportServer({ rows: 10 });
    using home = createHome();
    const ran = await shell(
      'set -o pipefail; salon clients list -o /dev/stdout --manifest | cat',
      server,
      home,
    );
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(server.received).toHaveLength(0);
  });

  it.skipIf(process.getuid?.() === 0)('into a folder that may not be written sends nothing', async () => {
    await using server = await openExportServer({ rows: 1_000 });
    using home = createHome();
    const ran = await shell(
      'mkdir locked; chmod 500 locked; salon clients list -o locked/out.csv',
      server,
      home,
    );
    expect(ran).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('permission denied') });
    expect(server.received).toHaveLength(0);
  });
});
