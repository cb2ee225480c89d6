import { rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';
import { body, json } from '../../support/misbehaving-server.ts';

let world: ExportSalon;

beforeEach(async () => {
  world = await openExportSalon();
});

afterEach(() => world[Symbol.asyncDispose]());

describe('a resumed export', () => {
  it.each([
    'clients list -f csv -o out',
    'clients list -f csv --excel -o out',
    'clients list -f csv -c id,last_name -o out',
    'clients list -f csv -c +all -o out',
    'clients list -f json -o out',
    'clients list -f json -c notes,id -o out',
    'clients list -f ndjson -o out',
    'clients list -o out.tsv',
    'clients list -f csv --shard 2/3 -o out',
    'clients list -f csv --limit 333 -o out',
    'clients list -f csv --consistent -o out',
    'clients list -f csv --sort last_name -o out',
  ])('has the same bytes as an uninterrupted one: %s', async (line) => {
    expect((await world.salon(line.replace('-o out', '-o whole'))).exitCode).toBe(0);
    const id = await world.exportUpTo(7, line);
    expect(await world.salon(`jobs resume ${id}`)).toMatchObject({ exitCode: 0, stdout: '' });
    const [, extension = ''] = /-o out(\S*)/.exec(line) ?? [];
    expect(world.read(`out${extension}`)).toBe(world.read(`whole${extension}`));
    expect(world.files()).toEqual(['data', `out${extension}`, `whole${extension}`]);
  });

  it('requests only the rest and the page before it', async () => {
    const id = await world.exportUpTo(17, 'clients list -o out.csv');
    const before = world.server.received.length;
    await world.salon(`jobs resume ${id}`);
    const pages = world.server.received.slice(before).map(({ query }) => Number(query.get('page')));
    expect(Math.min(...pages)).toBe(17);
    expect(pages.length).toBeLessThanOrEqual(23 - 17 + 3);
  });

  it('has every remaining row exactly once after deletions and insertions', async () => {
    const id = await world.exportUpTo(9, 'clients list -o out.json');
    const gone = world.server.rows.filter((_row, index) => index % 7 === 3);
    const stayed = world.server.rows.filter((row) => !gone.includes(row));
    world.server.rows = [...stayed, { id: 'cli_new' }];
    const ran = await world.salon(`jobs resume ${id}`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    const ids: string[] = JSON.parse(world.read('out.json')).map((row: { id: string }) => row.id);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(world.server.rows.filter((row) => !ids.includes((row as { id: string }).id))).toEqual([]);
    expect(ran.stderr).toContain('server total 450 at the start, 387 at the end');
  });

  it('can fail again and be resumed from there', async () => {
    const id = await world.exportUpTo(5, 'clients list -o out.json');
    world.failFrom(12);
    const again = await world.salon(`jobs resume ${id} --retries 0`);
    expect(again.exitCode).toBe(3);
    expect(again.stderr).toContain('220 clients are in out.json.partial.');
    world.server.instead = () => undefined;
    expect((await world.salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(JSON.parse(world.read('out.json'))).toEqual(world.server.rows);
  });

  it('starts again if its rows are gone and reports it', async () => {
    const id = await world.exportUpTo(5, 'clients list -o out.json');
    rmSync(`${world.home}/out.json.partial`);
    const ran = await world.salon(`jobs resume ${id}`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('starting again');
    expect(JSON.parse(world.read('out.json'))).toEqual(world.server.rows);
  });

  it('uses the valid part of damaged rows', async () => {
    const id = await world.exportUpTo(5, 'clients list -o out.json');
    const rows = world.read('out.json.partial');
    writeFileSync(`${world.home}/out.json.partial`, `${rows.slice(0, -50)}${'x'.repeat(50)}`);
    const ran = await world.salon(`jobs resume ${id}`);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Resuming after 80 of 450 clients.');
    expect(JSON.parse(world.read('out.json'))).toEqual(world.server.rows);
  });

  it('has every row once on a server without page numbers', async () => {
    const linked = (page: number) => {
      const data = world.server.rows.slice((page - 1) * 20, page * 20);
      const link = `</api/v1/clients?token=${page + 1}>; rel="next"`;
      const headers: Record<string, string> = page * 20 < world.server.rows.length ? { link } : {};
      return json({ data }, { headers });
    };
    let isDown = true;
    world.server.instead = () => {
      const page = Number(world.server.received.at(-1)?.query.get('token') ?? 1);
      return isDown && page === 9 ? body('', { status: 500 }) : linked(page);
    };
    const env = { SALON_DIALECT_PAGING: 'link' };
    const ran = await world.salon('clients list -o out.json --retries 0', { env });
    expect(ran.exitCode).toBe(3);
    isDown = false;
    const { id } = await world.newestJob();
    expect((await world.salon(`jobs resume ${id}`, { env })).exitCode).toBe(0);
    expect(JSON.parse(world.read('out.json'))).toEqual(world.server.rows);
  });
});
