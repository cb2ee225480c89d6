import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';

let world: ExportSalon;

beforeEach(async () => {
  world = await openExportSalon({ rows: 100, version: 7 });
});

afterEach(() => world[Symbol.asyncDispose]());

const manifest = () => JSON.parse(world.read('clients.csv.manifest.json'));
const sha256 = () => createHash('sha256').update(world.read('clients.csv')).digest('hex');

describe('--manifest', () => {
  it('describes the file beside it', async () => {
    const started = new Date('2026-11-21T10:00:00Z');
    const line = 'clients list -c id,notes --search ana';
    const ran = await world.salon(`${line} -o clients.csv --manifest`, {
      now: started,
      timeZone: 'Asia/Tokyo',
    });
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(manifest()).toEqual({
      manifest_version: 1,
      salon_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      file: 'clients.csv',
      sha256: sha256(),
      bytes: world.read('clients.csv').length,
      rows: 100,
      pages: 5,
      requests: 5,
      verdict: 'exact',
      unverified: [],
      first_total: 100,
      last_total: 100,
      collection_versions: { first: 7, last: 7 },
      origin: world.server.origin,
      list: 'clients',
      query: { q: 'ana' },
      limit: null,
      shard: null,
      time_zone: 'Asia/Tokyo',
      layout: 'csv',
      columns: ['id', 'notes'],
      started_at: '2026-11-21T10:00:00.000Z',
      ended_at: '2026-11-21T10:00:00.000Z',
    });
  });

  it('describes the whole file of a resumed export', async () => {
    const id = await world.exportUpTo(3, 'clients list -o clients.csv --manifest');
    expect(world.files()).toEqual(['clients.csv.partial', 'clients.csv.partial.job', 'data']);
    await world.salon(`jobs resume ${id}`);
    expect(manifest()).toMatchObject({ sha256: sha256(), rows: 100, verdict: 'exact' });
  });

  it('comes with a checksum that sha256sum accepts, whatever the name of the file', async () => {
    for (const name of ['clients.csv', 'back\\slash.csv']) {
      await world.salon(`clients list -o ${name} --manifest`);
      const checked = spawnSync('sha256sum', ['-c', `${name}.sha256`], { cwd: world.home, encoding: 'utf8' });
      expect(checked, checked.stderr).toMatchObject({ status: 0 });
      writeFileSync(`${world.home}/${name}`, 'changed');
      expect(spawnSync('sha256sum', ['-c', `${name}.sha256`], { cwd: world.home }).status).toBe(1);
    }
  });

  it('is written for a file of one page', async () => {
    world.server.rows = world.server.rows.slice(0, 3);
    await world.salon('clients list -o clients.csv --manifest');
    expect(manifest()).toMatchObject({ sha256: sha256(), rows: 3 });
  });

  it('is removed when its file is replaced', async () => {
    await world.salon('clients list -o clients.csv --manifest');
    await world.salon('clients list -o clients.csv');
    expect(world.files()).toEqual(['clients.csv', 'data']);
  });

  it('does not remove another file of the same name', async () => {
    writeFileSync(`${world.home}/clients.csv.manifest.json`, '{"mine": true}');
    writeFileSync(`${world.home}/clients.csv.sha256`, 'mine');
    await world.salon('clients list -o clients.csv');
    expect(world.read('clients.csv.manifest.json')).toBe('{"mine": true}');
    expect(world.read('clients.csv.sha256')).toBe('mine');
  });

  it('counts the rows of a shard', async () => {
    await world.salon('clients list -o clients.csv --shard 2/3 --manifest');
    expect(manifest()).toMatchObject({ shard: { index: 2, count: 3 }, sha256: sha256() });
    expect(manifest().rows).toBeLessThan(60);
  });
});

describe('--shard', () => {
  it.each([1, 3, 7])('divides a list into %i disjoint and complete parts', async (count) => {
    const ids: string[] = [];
    for (let index = 1; index <= count; index += 1) {
      const ran = await world.salon(`clients list --json --shard ${index}/${count}`);
      expect(ran.stderr).toBe(`Part ${index} of ${count}; each part reads the whole list.\n`);
      ids.push(...JSON.parse(ran.stdout).map(({ id }: { id: string }) => id));
    }
    expect(ids.sort()).toEqual(world.server.rows.map((row) => (row as { id: string }).id));
  });

  it('prints nothing with -q', async () => {
    expect((await world.salon('clients list --json --shard 1/2 -q')).stderr).toBe('');
  });
});
