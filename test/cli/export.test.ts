import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportServer, openExportServer } from '../support/export-server.ts';
import { createMachine, type Machine, type World } from '../support/io.ts';
import { body, json } from '../support/misbehaving-server.ts';

let machine: Machine;
let server: ExportServer;

beforeEach(async () => {
  machine = createMachine({ env: { SALON_DATA_DIR: 'data', SALON_API_KEY: 'k' } });
  server = await openExportServer();
});

afterEach(async () => {
  machine[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

function salon(line: string, world: World = {}) {
  const env = { SALON_BASE_URL: server.origin, ...world.env };
  return machine.salon(line.split(' '), { ...world, env });
}

const read = (file: string) => readFileSync(`${machine.home}/${file}`, 'utf8');
const files = () => readdirSync(machine.home).sort();

function failFrom(page: number): void {
  server.instead = (asked) => (asked >= page ? body('', { status: 500 }) : undefined);
}

/** Exports as far as `page`; answers the job that goes on. */
async function exportUpTo(page: number, line: string): Promise<string> {
  failFrom(page + 1);
  const ran = await salon(`${line} --retries 0`);
  expect(ran.exitCode, ran.stderr).toBe(3);
  server.instead = () => undefined;
  return /salon jobs resume ([\w-]+)/.exec(ran.stderr)?.[1] ?? '';
}

async function jobs() {
  return JSON.parse((await salon('jobs list --json')).stdout);
}

describe('an export that fails half way', () => {
  it('leaves the file as it was, keeps its rows beside it, and exits with 3', async () => {
    writeFileSync(`${machine.home}/clients.ndjson`, 'before');
    failFrom(6);
    const ran = await salon('clients list -o clients.ndjson --retries 0');
    expect(ran).toMatchObject({ exitCode: 3, stdout: '' });
    expect(ran.stderr).toMatch(
      /^error: .*\n {2}100 clients are in clients\.ndjson\.partial\. Go on with: salon jobs resume \S+\n$/,
    );
    expect(read('clients.ndjson')).toBe('before');
    expect(read('clients.ndjson.partial').trimEnd().split('\n')).toHaveLength(100);
    expect(files()).toEqual(['clients.ndjson', 'clients.ndjson.partial', 'data']);
  });

  it('says so as JSON where JSON is asked for', async () => {
    failFrom(6);
    const { stderr } = await salon('clients list -o clients.json --json --retries 0');
    const [{ id }] = await jobs();
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'internal_error',
      status: 500,
      rows_kept: 100,
      partial_file: 'clients.json.partial',
      job: id,
    });
  });

  it('on its first page leaves nothing, and exits as its error says', async () => {
    failFrom(1);
    expect((await salon('clients list -o clients.csv --retries 0')).exitCode).toBe(5);
    expect(files()).toEqual(['data']);
    expect(await jobs()).toEqual([]);
  });

  it('into a stream exits as its error says', async () => {
    failFrom(6);
    const ran = await salon('clients list -f ndjson --retries 0');
    expect(ran.exitCode).toBe(5);
    expect(ran.stdout.trimEnd().split('\n')).toHaveLength(100);
  });

  it('laid out as a table keeps its rows, but no job', async () => {
    failFrom(6);
    const ran = await salon('clients list -f table -o clients.txt --retries 0');
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).not.toContain('jobs resume');
    expect(await jobs()).toEqual([]);
    expect(files()).toEqual(['clients.txt.partial', 'data']);
  });

  it('is no reason to fail where no job can be kept', async () => {
    writeFileSync(`${machine.home}/file`, '');
    const ran = await salon('clients list -o clients.csv', { env: { SALON_DATA_DIR: 'file' } });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/^warning: Should this export stop, it will have to start again/m);
    expect(files()).toEqual(['clients.csv', 'file']);
  });
});

describe('an export that is gone on with', () => {
  it.each([
    'clients list -f csv -o out',
    'clients list -f csv --excel -o out',
    'clients list -f csv -c id,last_name -o out',
    'clients list -f csv -c +all -o out',
    'clients list -f json -o out',
    'clients list -f json -c notes,id -o out',
    'clients list -f ndjson -o out',
    'clients list -o out',
    'clients list -f csv --shard 2/3 -o out',
    'clients list -f csv --limit 333 -o out',
    'clients list -f csv --consistent -o out',
    'clients list -f csv --sort last_name -o out',
  ])('becomes the same bytes as without the stop: %s', async (line) => {
    expect((await salon(line.replace('-o out', '-o whole'))).exitCode).toBe(0);
    const id = await exportUpTo(7, line);
    expect(await salon(`jobs resume ${id}`)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(read('out')).toBe(read('whole'));
    expect(files()).toEqual(['data', 'out', 'whole']);
  });

  it('asks for the rest alone, and once more for the page before it', async () => {
    const id = await exportUpTo(17, 'clients list -o out.csv');
    const before = server.received.length;
    await salon(`jobs resume ${id}`);
    const pages = server.received.slice(before).map(({ query }) => Number(query.get('page')));
    expect(Math.min(...pages)).toBe(17);
    expect(pages.length).toBeLessThanOrEqual(23 - 17 + 3);
  });

  it('has every row that stayed and none twice when rows went and came in between', async () => {
    const id = await exportUpTo(9, 'clients list -o out.json');
    const gone = server.rows.filter((_row, index) => index % 7 === 3);
    const stayed = server.rows.filter((row) => !gone.includes(row));
    server.rows = [...stayed, { id: 'cli_new' }];
    const ran = await salon(`jobs resume ${id}`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    const ids: string[] = JSON.parse(read('out.json')).map((row: { id: string }) => row.id);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(server.rows.filter((row) => !ids.includes((row as { id: string }).id))).toEqual([]);
    expect(ran.stderr).toContain('the server counted 450 at first and 387 at last');
  });

  it('may fail again, and then goes on from there', async () => {
    const id = await exportUpTo(5, 'clients list -o out.json');
    failFrom(12);
    const again = await salon(`jobs resume ${id} --retries 0`);
    expect(again.exitCode).toBe(3);
    expect(again.stderr).toContain('220 clients are in out.json.partial.');
    server.instead = () => undefined;
    expect((await salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(read('out.json'))).toEqual(server.rows);
  });

  it('starts again where its rows are gone, and says so', async () => {
    const id = await exportUpTo(5, 'clients list -o out.json');
    rmSync(`${machine.home}/out.json.partial`);
    const ran = await salon(`jobs resume ${id}`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Starting again');
    expect(JSON.parse(read('out.json'))).toEqual(server.rows);
  });

  it('uses what is sound of rows that were damaged', async () => {
    const id = await exportUpTo(5, 'clients list -o out.json');
    const rows = read('out.json.partial');
    writeFileSync(`${machine.home}/out.json.partial`, `${rows.slice(0, -50)}${'x'.repeat(50)}`);
    const ran = await salon(`jobs resume ${id}`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Going on behind 80 of 450 clients.');
    expect(JSON.parse(read('out.json'))).toEqual(server.rows);
  });

  it('from a server without page numbers has every row once', async () => {
    const linked = (page: number) => {
      const data = server.rows.slice((page - 1) * 20, page * 20);
      const link = `</api/v1/clients?token=${page + 1}>; rel="next"`;
      const headers: Record<string, string> = page * 20 < server.rows.length ? { link } : {};
      return json({ data }, { headers });
    };
    let isDown = true;
    server.instead = () => {
      const page = Number(server.received.at(-1)?.query.get('token') ?? 1);
      return isDown && page === 9 ? body('', { status: 500 }) : linked(page);
    };
    const ran = await salon('clients list -o out.json --retries 0');
    expect(ran.exitCode).toBe(3);
    isDown = false;
    const [{ id }] = await jobs();
    expect((await salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(read('out.json'))).toEqual(server.rows);
  });
});

describe('a file that is exported to', () => {
  it('of one page makes no job', async () => {
    server.rows = server.rows.slice(0, 20);
    expect((await salon('clients list -o clients.csv')).exitCode).toBe(0);
    expect(await jobs()).toEqual([]);
    expect(files()).toEqual(['clients.csv', 'data']);
  });

  it('has the same bytes each time', async () => {
    await salon('clients list -o one.csv --concurrency 1');
    await salon('clients list -o eight.csv --concurrency 8');
    expect(read('one.csv')).toBe(read('eight.csv'));
  });

  it('by two at once is whole, and both are done', async () => {
    const both = await Promise.all([
      salon('clients list -o out.json'),
      salon('clients list -o out.json --concurrency 1'),
    ]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(JSON.parse(read('out.json'))).toEqual(server.rows);
    expect(files()).toEqual(['data', 'out.json']);
    expect((await jobs()).map(({ state }: { state: string }) => state)).toEqual(['done', 'done']);
  });

  it('stays a symbolic link, whose target is replaced', async () => {
    mkdirSync(`${machine.home}/real`);
    symlinkSync('real/out.json', `${machine.home}/out.json`);
    const id = await exportUpTo(5, 'clients list -o out.json');
    expect((await salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(read('real/out.json'))).toEqual(server.rows);
    expect(readdirSync(`${machine.home}/real`)).toEqual(['out.json']);
  });

  it('in a folder that goes meanwhile is told, and can be gone on with when it is back', async () => {
    mkdirSync(`${machine.home}/there`);
    server.instead = (page) => {
      if (page === 12) rmSync(`${machine.home}/there`, { recursive: true, force: true });
      return undefined;
    };
    const ran = await salon('clients list -o there/out.json --concurrency 1');
    expect(ran.exitCode).toBe(5);
    expect(ran.stderr).toMatch(/its folder does not exist\.\n.*salon jobs resume/);
    mkdirSync(`${machine.home}/there`);
    server.instead = () => undefined;
    const [{ id, state }] = await jobs();
    expect(state).toBe('failed');
    expect((await salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(read('there/out.json'))).toEqual(server.rows);
  });
});

describe('a list that never agrees with its total', () => {
  const oneTooMany = (page: number) => {
    const data = server.rows.slice((page - 1) * 20, page * 20);
    return json({ data, pagination: { page, per_page: 20, total: server.rows.length + 1 } });
  };

  it('is exported in part, with exit code 3, and read again by jobs resume', async () => {
    server.instead = oneTooMany;
    const ran = await salon('clients list -o out.json');
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(ran.stderr).toContain('The server counts 451 clients, but only 450 came.');
    expect(files()).toEqual(['data', 'out.json.partial']);
    const [{ id }] = await jobs();
    server.instead = () => undefined;
    server.rows.push({ id: 'cli_late' });
    expect((await salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(read('out.json'))).toEqual(server.rows);
  });

  it('is printed, with exit code 3', async () => {
    server.instead = oneTooMany;
    const ran = await salon('clients list --json');
    expect(ran.exitCode).toBe(3);
    expect(JSON.parse(ran.stdout)).toEqual(server.rows);
  });
});
