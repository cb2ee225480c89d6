import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ExportSalon, openExportSalon } from '../../support/export-salon.ts';
import { body, json } from '../../support/misbehaving-server.ts';
import { openSharedService } from '../../support/service.ts';

let world: ExportSalon;

beforeEach(async () => {
  world = await openExportSalon({ rows: 60 });
});

afterEach(() => world[Symbol.asyncDispose]());

const state = () => JSON.parse(world.read('state.json'));
const line = 'clients list -o clients.ndjson --since-last --state state.json';

describe('--since-last', () => {
  it('exports everything the first time and reports it', async () => {
    const ran = await world.salon(line);
    expect(ran.exitCode, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('No saved state in state.json; exporting everything.');
    expect(world.server.received.some(({ query }) => query.has('updated_since'))).toBe(false);
    expect(world.read('clients.ndjson').trimEnd().split('\n')).toHaveLength(60);
  });

  it('then requests the changes since the last export by the server’s time, with two minutes of overlap', async () => {
    const clockOfServer = Date.parse('2026-11-21T12:00:00Z');
    const instead = () =>
      json(
        { data: [], pagination: { page: 1, per_page: 20, total: 0 } },
        { headers: { date: new Date(clockOfServer).toUTCString() } },
      );
    world.server.instead = instead;
    const now = new Date('2031-01-01T00:00:00Z');
    await world.salon(line, { now });
    expect(state().watermark).toBe('2026-11-21T11:58:00.000Z');
    await world.salon(line, { now });
    const asked = world.server.received.findLast(({ query }) => query.has('updated_since'));
    expect(asked?.query.get('updated_since')).toBe('2026-11-21T11:58:00.000Z');
    await world.salon(`${line} --overlap 1h`, { now });
    expect(state().watermark).toBe('2026-11-21T11:00:00.000Z');
  });

  it('uses the local time if the server sends none', async () => {
    world.server.instead = () => (response) => {
      response.sendDate = false;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: [], pagination: { page: 1, per_page: 20, total: 0 } }));
    };
    await world.salon(line, { now: new Date('2026-11-21T12:00:00Z') });
    expect(state().watermark).toBe('2026-11-21T11:58:00.000Z');
  });

  it('does not change the state if the export fails, and writes it when the export is resumed', async () => {
    world.server.instead = (page) => (page === 3 ? body('', { status: 500 }) : undefined);
    const ran = await world.salon(`${line} --retries 0`);
    expect(ran.exitCode, ran.stderr).toBe(3);
    expect(existsSync(`${world.home}/state.json`)).toBe(false);
    world.server.instead = () => undefined;
    const [, id = ''] = /salon jobs resume ([\w-]+)/.exec(ran.stderr) ?? [];
    expect((await world.salon(`jobs resume ${id}`)).exitCode).toBe(0);
    expect(state()).toMatchObject({ list: 'clients', query: {} });
  });

  it('also works for a stream', async () => {
    const ran = await world.salon('clients list --json --since-last --state state.json');
    expect(JSON.parse(ran.stdout)).toHaveLength(60);
    expect(state()).toMatchObject({ origin: world.server.origin });
  });

  it.each([
    ['another query', `${line} --search ana`, {}],
    ['another list', line.replace('clients list', 'appointments list'), {}],
    ['another API key, on a server without accounts', line, { SALON_API_KEY: 'other' }],
  ])('refuses the state of %s with exit code 2', async (_other, changed, env) => {
    await world.salon(line);
    const before = world.read('state.json');
    const ran = await world.salon(changed, { env });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is for another') });
    expect(world.read('state.json')).toBe(before);
  });

  it.each([
    ['clients list --since-last', '--state <file>'],
    ['clients list --state s', '--since-last'],
    ['clients list --overlap 2m', '--since-last'],
    [`${line} --limit 5`, '--limit'],
    [`${line} --updated-since -7d`, '--updated-since'],
    [`${line} --param updated_since=x`, '--updated-since'],
    [`${line} --overlap soon`, '--overlap'],
    ['clients list --shard 1/2 --limit 5', '--shard'],
    ['clients list --shard 3/2', '--shard'],
    ['clients list --shard 0/2', '--shard'],
    ['clients list --manifest', '--output'],
  ])('is refused before a request: salon %s', async (wrong, named) => {
    expect(await world.salon(wrong)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(named) });
    expect(world.server.received).toHaveLength(0);
  });

  it('exports the changes of our service', async () => {
    const service = await openSharedService({ clients: 30 });
    const env = { SALON_BASE_URL: service.origin, SALON_API_KEY: service.keys.owner };
    const asked = `${line} --overlap 0s`;
    await world.salon(asked, { env });
    const first = world.read('clients.ndjson').trimEnd().split('\n');
    expect(first).toHaveLength(30);
    expect(state().account).toBe(service.id);
    const { id } = JSON.parse(first[3] ?? '');
    await world.salon(`clients update ${id} --set notes=changed`, { env });
    const again = await world.salon(asked, { env });
    expect(again.exitCode, again.stderr).toBe(0);
    expect(world.read('clients.ndjson')).toContain(id);
  });
});
