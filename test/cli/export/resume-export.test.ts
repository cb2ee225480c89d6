import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';
import { openExportServer } from '../../support/export-server.ts';

let world: ExportSalon;

beforeEach(async () => {
  world = await openExportSalon({ rows: 200 });
});

afterEach(() => world[Symbol.asyncDispose]());

const folder = (id: string) => `${world.home}/data/jobs/${id}`;
const exported = () => JSON.parse(world.read('out.json'));

/** Exports half of the list. Returns the job. */
function exportHalf(now = new Date()): Promise<string> {
  return world.exportUpTo(5, 'clients list -o out.json', { now });
}

describe('jobs list', () => {
  it('lists the newest first, with its state', async () => {
    const old = await exportHalf(new Date('2026-11-20T10:00:00Z'));
    const done = await exportHalf(new Date('2026-11-21T10:00:00Z'));
    await world.salon(`jobs resume ${done}`);
    expect(await world.jobs()).toEqual([
      {
        id: done,
        kind: 'export',
        state: 'done',
        started: '2026-11-21T10:00:00.000Z',
        rows: 200,
        total: 200,
        output: `${world.home}/out.json`,
        source: null,
        operation: 'export clients',
      },
      expect.objectContaining({ id: old, state: 'failed', rows: 100, total: 200 }),
    ]);
  });

  it('is empty without jobs', async () => {
    expect(await world.jobs()).toEqual([]);
  });

  it('shows a running job, and resume refuses it', async () => {
    let seen: unknown;
    let resumed: { exitCode: number; stderr: string } | undefined;
    let isAsked = false;
    world.server.instead = (page) => {
      if (page !== 8 || isAsked) return undefined;
      isAsked = true;
      return (response) => {
        void (async () => {
          const job = await world.newestJob();
          seen = job;
          resumed = await world.salon(`jobs resume ${job.id}`);
          response.destroy();
        })();
      };
    };
    const ran = await world.salon('clients list -o out.json --concurrency 1');
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(seen).toMatchObject({ state: 'running', rows: expect.any(Number) });
    expect(resumed).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('is still running') });
    expect(exported()).toEqual(world.server.rows);
  });
});

describe('jobs show', () => {
  it('shows the work of a job and why it stopped', async () => {
    const id = await exportHalf();
    expect(JSON.parse((await world.salon(`jobs show ${id} --json`)).stdout)).toMatchObject({
      id,
      state: 'failed',
      reason: expect.stringContaining('at page 6'),
      list: 'clients',
      layout: 'json',
      origin: world.server.origin,
    });
  });

  it.each(['20261121-093000-1f2e3d', '..', 'x'])('finds no job %s', async (id) => {
    await exportHalf();
    for (const verb of ['show', 'resume']) {
      expect(await world.salon(`jobs ${verb} ${id}`)).toMatchObject({
        exitCode: 6,
        stderr: expect.stringContaining('jobs list'),
      });
    }
  });
});

describe('jobs resume', () => {
  it('does nothing if the job is done', async () => {
    const id = await exportHalf();
    await world.salon(`jobs resume ${id}`);
    const asked = world.server.received.length;
    writeFileSync(`${world.home}/out.json`, 'mine now');
    const ran = await world.salon(`jobs resume ${id}`);
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringContaining('is already done'),
    });
    expect(world.server.received).toHaveLength(asked);
    expect(readFileSync(`${world.home}/out.json`, 'utf8')).toBe('mine now');
  });

  it('uses the valid part of a damaged journal and reports it', async () => {
    for (const damage of [
      (path: string) => truncateSync(path, readFileSync(path).length / 2),
      (path: string) => appendFileSync(path, '0badc0de {"type":"done","at":"x"}\n'),
      (path: string) => writeFileSync(path, readFileSync(path).fill(0, 300, 310)),
    ]) {
      const id = await exportHalf();
      damage(`${folder(id)}/journal`);
      const ran = await world.salon(`jobs resume ${id}`);
      expect(ran.exitCode, ran.stderr).toBe(0);
      expect(ran.stderr).toContain("warning: The job's last part is damaged or missing");
      expect(exported()).toEqual(world.server.rows);
    }
  });

  it('starts again without a journal', async () => {
    const id = await exportHalf();
    rmSync(`${folder(id)}/journal`);
    const ran = await world.salon(`jobs resume ${id}`);
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('starting again') });
    expect(exported()).toEqual(world.server.rows);
  });

  it.each(['', '{', '{"version":2}', '{"version":1,"kind":"export"}', 'null'])(
    'cannot resume a job whose file is damaged: %j',
    async (text) => {
      const id = await exportHalf();
      writeFileSync(`${folder(id)}/job.json`, text);
      expect(await world.salon(`jobs resume ${id}`)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('Cannot read job'),
      });
      expect(await world.jobs()).toEqual([expect.objectContaining({ id, rows: 100, kind: null })]);
    },
  );

  it('uses the profile of the job, not the current one', async () => {
    const env = { SALON_API_KEY: undefined, SALON_BASE_URL: undefined };
    const login = `auth login -p second --base-url ${world.server.origin}`;
    expect((await world.salon(login, { env, stdin: 'k' })).exitCode).toBe(0);
    const id = await world.exportUpTo(5, 'clients list -p second -o out.json', { env });
    await using other = await openExportServer();
    await world.salon(`auth login -p first --base-url ${other.origin}`, { env, stdin: 'k' });
    await world.salon('profiles use first', { env });
    const ran = await world.salon(`jobs resume ${id}`, { env });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(exported()).toEqual(world.server.rows);
    expect((await world.salon(`jobs resume ${await exportHalf()} -p first`, { env })).exitCode).toBe(2);
  });

  it('refuses another salon', async () => {
    const id = await exportHalf();
    await using other = await openExportServer();
    const ran = await world.salon(`jobs resume ${id}`, { env: { SALON_BASE_URL: other.origin } });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(world.server.origin) });
    expect(other.received).toHaveLength(0);
    expect((await world.salon(`jobs resume ${id}`)).exitCode).toBe(0);
  });
});

describe('a job folder', () => {
  it('is readable only by its owner and has no secret', async () => {
    const id = await exportHalf();
    expect(statSync(folder(id)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder(id)).filter((name) => !name.startsWith('alive'))) {
      expect(statSync(`${folder(id)}/${name}`).mode & 0o077).toBe(0);
    }
    expect(readFileSync(`${folder(id)}/job.json`, 'utf8')).not.toContain('SALON_API_KEY');
  });

  it('is removed thirty days after the job is done; unfinished jobs stay', async () => {
    const finish = (id: string, day: string) => world.salon(`jobs resume ${id}`, { now: new Date(day) });
    await finish(await exportHalf(new Date('2026-10-01T10:00:00Z')), '2026-10-02');
    const slow = await exportHalf(new Date('2026-10-01T11:00:00Z'));
    await finish(slow, '2026-10-20');
    const open = await exportHalf(new Date('2026-10-01T12:00:00Z'));
    mkdirSync(folder('.new-20261001-100000-000000'));
    const newest = await exportHalf(new Date('2026-11-02T10:00:00Z'));
    expect((await world.jobs()).map(({ id }: { id: string }) => id)).toEqual([newest, open, slow]);
    expect(existsSync(folder('.new-20261001-100000-000000'))).toBe(false);
  });

  it('keeps no IDs of rows once the job is done', async () => {
    const id = await exportHalf();
    expect(readFileSync(`${folder(id)}/journal`, 'utf8')).toContain('cli_000042');
    await world.salon(`jobs resume ${id}`);
    expect(readFileSync(`${folder(id)}/journal`, 'utf8')).not.toContain('cli_');
  });
});
