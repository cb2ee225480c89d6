import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBulkEdits } from '../../../src/bulk/bulk-edits.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'salon-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A server with the documented endpoints alone: no single records, no tags, no versions. */
function createPlainSalon(count: number) {
  const held = new Map<string, Record<string, unknown>>();
  for (let index = 0; index < count; index += 1)
    held.set(`c${index}`, { id: `c${index}`, phone: 'old', fax: 'kept' });
  const requests = { lists: 0, writes: 0 };
  return {
    held,
    requests,
    answer({ method, path, query, body }: Received) {
      const id = /\/clients\/([^/?]+)$/.exec(path)?.[1];
      if (method === 'GET' && path.endsWith('/me')) return json({ error: 'no' }, { status: 404 });
      if (method === 'GET' && id === undefined) {
        requests.lists += 1;
        const page = Number(query.get('page') ?? 1);
        const rows = [...held.values()].slice((page - 1) * 50, page * 50);
        return json({ data: rows, pagination: { page, per_page: 50, total: held.size } });
      }
      const record = id === undefined ? undefined : held.get(id);
      if (method !== 'PUT' || id === undefined || record === undefined)
        return json({ error: 'no' }, { status: 404 });
      requests.writes += 1;
      held.set(id, { id, ...JSON.parse(body) });
      return json(held.get(id) ?? {});
    },
  };
}

describe('an edit on a server with only the documented endpoints', () => {
  it('sends whole records and skips those changed since the plan', async () => {
    const salon = createPlainSalon(120);
    await using server = await openMisbehavingServer((request) => salon.answer(request));
    await using client = openClient(server.origin);
    const edits = createBulkEdits({ client, folder });
    const path = join(folder, 'clients.csv');
    const lines = [...salon.held.keys()].map((id, index) => `${id},${7_000_000 + index}`);
    await writeFile(path, `id,phone\n${lines.join('\n')}\n`);
    await using planned = await edits.planSheet(path, { noun: 'clients', verb: 'update' });
    salon.held.set('c7', { id: 'c7', phone: 'theirs', fax: 'kept' });
    salon.held.set('c8', { id: 'c8', phone: 'old', fax: 'theirs' });
    salon.requests.lists = 0;
    const { tally, stop } = await edits.apply(planned);
    expect({ tally, stop }).toMatchObject({ stop: undefined, tally: { done: 119, stale: 1 } });
    expect(salon.held.get('c7')).toMatchObject({ phone: 'theirs' });
    expect(salon.held.get('c8')).toEqual({ id: 'c8', phone: '7000008', fax: 'theirs' });
    expect(salon.requests.writes).toBe(119);
    // One more pass over the list, not one per row.
    expect(salon.requests.lists).toBeLessThan(10);
  });
});
