import { describe, expect, it } from 'vitest';
import { openCompressingProxy } from '../../support/compressing-proxy.ts';
import { json, openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

const rewrites: readonly (readonly [string, (tag: string) => string])[] = [
  ['weakens tags, as nginx does', (tag) => `W/${tag}`],
  ['adds a suffix to tags, as Apache does', (tag) => tag.replace(/"$/, '-gzip"')],
  ['does both', (tag) => `W/${tag.replace(/"$/, '-br"')}`],
];

describe.each(rewrites)('the service behind a proxy that %s', (_what, rewrite) => {
  it('makes guarded changes without a further request', async () => {
    const service = await openSharedService();
    await using proxy = await openCompressingProxy(service.origin, rewrite);
    const credential = { kind: 'bearer', token: service.keys.owner } as const;
    await using client = openClient(proxy.origin, { credential });
    const { id = '' } = await client.clients.create({ first_name: 'Ana' });
    await client.clients.update(id, { notes: 'new' });
    const { record, etag } = await client.clients.getTagged(id);
    expect(etag).toBe(rewrite(`"${record.updated_at}"`));
    await client.clients.delete(id, { ifMatch: etag });
    expect(proxy.writes.map(([method, tag]) => [method, tag?.startsWith('"20')])).toEqual([
      ['POST', undefined],
      ['PUT', true],
      ['DELETE', true],
    ]);
    expect(client.events.filter(({ type }) => type === 'warning')).toEqual([]);
  });

  it('never overwrites a change that was made after the read', async () => {
    const service = await openSharedService();
    await using proxy = await openCompressingProxy(service.origin, rewrite);
    const credential = { kind: 'bearer', token: service.keys.owner } as const;
    await using client = openClient(proxy.origin, { credential });
    await using colleague = openClient(service.origin, { credential });
    const { id = '' } = await client.clients.create({ first_name: 'Ana' });
    const { etag } = await client.clients.getTagged(id);
    await colleague.clients.update(id, { notes: 'theirs' });
    const refused = await refusal(client.clients.update(id, { notes: 'mine' }, { ifMatch: etag }));
    expect(refused.code).toBe('precondition_failed');
    expect((await refusal(client.clients.delete(id, { ifMatch: etag }))).code).toBe('precondition_failed');
    expect((await colleague.clients.get(id)).notes).toBe('theirs');
  });
});

/** A server of another make: its tags are weak, so that `If-Match` with one never matches. */
function openWeakServer() {
  const records = new Map<string, { record: object; version: number }>();
  return {
    change(id: string, record: object) {
      records.set(id, { record: { id, ...record }, version: (records.get(id)?.version ?? 0) + 1 });
    },
    record: (id: string) => records.get(id)?.record,
    open: () =>
      openMisbehavingServer(({ method, path, headers, body }) => {
        const id = path.split('/').at(-1) ?? '';
        if (method !== 'GET' && headers['if-match'] !== undefined) {
          return json({ message: 'Precondition failed' }, { status: 412 });
        }
        const known = records.get(id);
        if (known === undefined) return problem(404, 'not_found');
        const { record, version } = known;
        if (method === 'PUT') {
          records.set(id, { record: { id, ...JSON.parse(body) }, version: version + 1 });
          return json(records.get(id)?.record);
        }
        if (method === 'DELETE') {
          records.delete(id);
          return json({}, { status: 200 });
        }
        return json(record, { headers: { etag: `W/"${version}"` } });
      }),
  };
}

describe('a server whose tags are weak', () => {
  it('is written to after a comparison, and the warning appears once', async () => {
    const world = openWeakServer();
    world.change('cli_1', { notes: 'old', city: 'Rome' });
    world.change('cli_2', { notes: 'old' });
    await using server = await world.open();
    await using client = openClient(server.origin);
    await client.clients.update('cli_1', { notes: 'new' });
    await client.clients.update('cli_2', { notes: 'new' });
    expect(world.record('cli_1')).toEqual({ id: 'cli_1', notes: 'new', city: 'Rome' });
    expect(world.record('cli_2')).toEqual({ id: 'cli_2', notes: 'new' });
    const methods = server.received.map(({ method, headers }) => `${method} ${headers['if-match'] ?? ''}`);
    expect(methods).toEqual(['GET ', 'PUT "1"', 'GET ', 'PUT ', 'GET ', 'GET ', 'PUT ']);
    expect(server.received[2]?.headers['cache-control']).toBe('no-cache');
    expect(client.events.filter(({ type }) => type === 'warning')).toEqual([
      { type: 'warning', message: expect.stringMatching(/^This server has weak entity tags only: /) },
    ]);
  });

  it('keeps a change that was made after the read', async () => {
    const world = openWeakServer();
    world.change('cli_1', { notes: 'old' });
    await using server = await world.open();
    await using client = openClient(server.origin);
    for (const act of [
      (ifMatch?: string) => client.clients.update('cli_1', { notes: 'mine' }, { ifMatch }),
      (ifMatch?: string) => client.clients.delete('cli_1', { ifMatch }),
    ]) {
      const { etag } = await client.clients.getTagged('cli_1');
      world.change('cli_1', { notes: 'theirs' });
      expect((await refusal(act(etag))).code).toBe('precondition_failed');
      expect(world.record('cli_1')).toEqual({ id: 'cli_1', notes: 'theirs' });
    }
    const { etag } = await client.clients.getTagged('cli_1');
    await client.clients.delete('cli_1', { ifMatch: etag });
    expect(world.record('cli_1')).toBeUndefined();
  });
});
