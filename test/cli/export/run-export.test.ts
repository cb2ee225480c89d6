import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';
import { json } from '../../support/misbehaving-server.ts';

let world: ExportSalon;

beforeEach(async () => {
  world = await openExportSalon();
});

afterEach(() => world[Symbol.asyncDispose]());

describe('an export that fails halfway', () => {
  it('does not change the file, keeps its rows beside it, and exits with 3', async () => {
    writeFileSync(`${world.home}/clients.ndjson`, 'before');
    world.failFrom(6);
    const ran = await world.salon('clients list -o clients.ndjson --retries 0');
    expect(ran).toMatchObject({ exitCode: 3, stdout: '' });
    expect(ran.stderr).toMatch(
      /^error: .*\n {2}100 clients are in clients\.ndjson\.partial\.\n {2}Resume with: salon jobs resume \S+\n {2}On another machine: salon jobs resume clients\.ndjson\.partial\n$/,
    );
    expect(world.read('clients.ndjson')).toBe('before');
    expect(world.read('clients.ndjson.partial').trimEnd().split('\n')).toHaveLength(100);
    expect(world.files()).toEqual([
      'clients.ndjson',
      'clients.ndjson.partial',
      'clients.ndjson.partial.job',
      'data',
    ]);
  });

  it('reports the error as JSON with --json', async () => {
    world.failFrom(6);
    const { stderr } = await world.salon('clients list -o clients.json --json --retries 0');
    const { id } = await world.newestJob();
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'internal_error',
      status: 500,
      rows_kept: 100,
      partial_file: 'clients.json.partial',
      job: id,
    });
  });

  it('leaves nothing if the first page fails, and exits with the code of the error', async () => {
    world.failFrom(1);
    expect((await world.salon('clients list -o clients.csv --retries 0')).exitCode).toBe(5);
    expect(world.files()).toEqual(['data']);
    expect(await world.jobs()).toEqual([]);
  });

  it('exits with the code of the error if it is a stream', async () => {
    world.failFrom(6);
    const ran = await world.salon('clients list -f ndjson --retries 0');
    expect(ran.exitCode).toBe(5);
    expect(ran.stdout.trimEnd().split('\n')).toHaveLength(100);
  });

  it('keeps its rows but no job if it is a table', async () => {
    world.failFrom(6);
    const ran = await world.salon('clients list -f table -o clients.txt --retries 0');
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).not.toContain('jobs resume');
    expect(await world.jobs()).toEqual([]);
    expect(world.files()).toEqual(['clients.txt.partial', 'data']);
  });

  it('succeeds if no job can be created', async () => {
    writeFileSync(`${world.home}/file`, '');
    const ran = await world.salon('clients list -o clients.csv', { env: { SALON_DATA_DIR: 'file' } });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/^warning: This export cannot be resumed/m);
    expect(world.files()).toEqual(['clients.csv', 'file']);
  });
});

describe('an exported file', () => {
  it('of one page has no job', async () => {
    world.server.rows = world.server.rows.slice(0, 20);
    expect((await world.salon('clients list -o clients.csv')).exitCode).toBe(0);
    expect(await world.jobs()).toEqual([]);
    expect(world.files()).toEqual(['clients.csv', 'data']);
  });

  it('has the same bytes every time', async () => {
    await world.salon('clients list -o one.csv --concurrency 1');
    await world.salon('clients list -o eight.csv --concurrency 8');
    expect(world.read('one.csv')).toBe(world.read('eight.csv'));
  });

  it('is complete after two exports at once', async () => {
    const both = await Promise.all([
      world.salon('clients list -o out.json'),
      world.salon('clients list -o out.json --concurrency 1'),
    ]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(JSON.parse(world.read('out.json'))).toEqual(world.server.rows);
    expect(world.files()).toEqual(['data', 'out.json']);
    expect((await world.jobs()).map(({ state }: { state: string }) => state)).toEqual(['done', 'done']);
  });

  it('stays a symbolic link; its target is replaced', async () => {
    mkdirSync(`${world.home}/real`);
    symlinkSync('real/out.json', `${world.home}/out.json`);
    const id = await world.exportUpTo(5, 'clients list -o out.json');
    expect((await world.salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(world.read('real/out.json'))).toEqual(world.server.rows);
    expect(readdirSync(`${world.home}/real`)).toEqual(['out.json']);
  });

  it('can be resumed after its folder disappeared and returned', async () => {
    mkdirSync(`${world.home}/there`);
    world.server.instead = (page) => {
      if (page === 12) rmSync(`${world.home}/there`, { recursive: true, force: true });
      return undefined;
    };
    const ran = await world.salon('clients list -o there/out.json --concurrency 1');
    expect(ran.exitCode).toBe(5);
    expect(ran.stderr).toMatch(/its folder does not exist\.\n.*salon jobs resume/);
    mkdirSync(`${world.home}/there`);
    world.server.instead = () => undefined;
    const { id, state } = await world.newestJob();
    expect(state).toBe('failed');
    expect((await world.salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(world.read('there/out.json'))).toEqual(world.server.rows);
  });
});

describe('a list that never agrees with its total', () => {
  const oneTooMany = (page: number) => {
    const data = world.server.rows.slice((page - 1) * 20, page * 20);
    return json({ data, pagination: { page, per_page: 20, total: world.server.rows.length + 1 } });
  };

  it('is exported partly with exit code 3 and read again by jobs resume', async () => {
    world.server.instead = oneTooMany;
    const ran = await world.salon('clients list -o out.json');
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toContain('The server reports 451 clients, but sent only 450.');
    expect(world.files()).toEqual(['data', 'out.json.partial', 'out.json.partial.job']);
    const { id } = await world.newestJob();
    world.server.instead = () => undefined;
    world.server.rows.push({ id: 'cli_late' });
    expect((await world.salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(world.read('out.json'))).toEqual(world.server.rows);
  });

  it('is printed, with exit code 3', async () => {
    world.server.instead = oneTooMany;
    const ran = await world.salon('clients list --json');
    expect(ran.exitCode).toBe(3);
    expect(JSON.parse(ran.stdout)).toEqual(world.server.rows);
  });
});
