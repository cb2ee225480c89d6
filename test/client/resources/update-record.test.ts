import { describe, expect, it } from 'vitest';
import {
  json,
  openMisbehavingServer,
  problem,
  type Received,
  type Reply,
} from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openSharedService } from '../../support/service.ts';

const stored = { id: 'cli_1', first_name: 'Ada', notes: 'old', tags: ['vip'] };
const stale = problem(412, 'precondition_failed');

/** Replies to reads with these records in turn, each with its own tag, and to writes as the script says. */
function reading(records: readonly object[], toWriteReply: (ifMatch: string | undefined) => Reply) {
  let reads = 0;
  return ({ method, headers }: Received): Reply => {
    if (method === 'PUT') return toWriteReply(headers['if-match']);
    const record = records[Math.min(reads, records.length - 1)];
    reads += 1;
    return json(record, { headers: { etag: `"v${reads}"` } });
  };
}

/** Accepts only a write with this tag. */
function taking(tag: string) {
  return (ifMatch: string | undefined) => (ifMatch === tag ? json({ ...stored, notes: 'new' }) : stale);
}

function toWrites(received: readonly Received[]) {
  const puts = received.filter(({ method }) => method === 'PUT');
  return puts.map(({ headers, body }) => [headers['if-match'], JSON.parse(body)]);
}

describe('an update of a tagged record', () => {
  it('sends the tag of the record that was read', async () => {
    await using server = await openMisbehavingServer(reading([stored], taking('"v1"')));
    await using client = openClient(server.origin);
    await client.clients.update('cli_1', { notes: 'new' });
    expect(toWrites(server.received)).toEqual([['"v1"', { first_name: 'Ada', notes: 'new', tags: ['vip'] }]]);
  });

  it('is repeated on a concurrent change to other fields', async () => {
    const records = [stored, { ...stored, first_name: 'Grace' }];
    await using server = await openMisbehavingServer(reading(records, taking('"v2"')));
    await using client = openClient(server.origin);
    await client.clients.update('cli_1', { notes: 'new' });
    expect(toWrites(server.received).at(-1)).toEqual([
      '"v2"',
      { first_name: 'Grace', notes: 'new', tags: ['vip'] },
    ]);
  });

  it('succeeds if the field already has the new value, as after a lost response', async () => {
    const records = [stored, { ...stored, notes: 'new' }];
    await using server = await openMisbehavingServer(reading(records, taking('"v2"')));
    await using client = openClient(server.origin);
    expect(await client.clients.update('cli_1', { notes: 'new' })).toMatchObject({ outcome: 'done' });
  });

  it('is a conflict after a concurrent change to the same field, with its values', async () => {
    const records = [stored, { ...stored, notes: 'theirs', tags: [] }];
    await using server = await openMisbehavingServer(reading(records, taking('"v2"')));
    await using client = openClient(server.origin);
    const error = await refusal(client.clients.update('cli_1', { notes: 'new', tags: ['a'] }));
    expect(error).toMatchObject({
      code: 'conflict',
      message:
        'Someone else changed the client cli_1: notes from "old" to "theirs"; tags from ["vip"] to [].',
      members: {
        fields: [
          { field: 'notes', old: 'old', present: 'theirs' },
          { field: 'tags', old: ['vip'], present: [] },
        ],
      },
    });
    expect(toWrites(server.received)).toHaveLength(1);
  });

  it('fails if the record keeps changing', async () => {
    await using server = await openMisbehavingServer(reading([stored], () => stale));
    await using client = openClient(server.origin);
    const error = await refusal(client.clients.update('cli_1', { notes: 'new' }));
    expect(error.code).toBe('precondition_failed');
    expect(toWrites(server.received).map(([tag]) => tag)).toEqual(['"v1"', '"v2"']);
  });

  it('sends no tag if the server has none', async () => {
    await using server = await openMisbehavingServer(({ method }) =>
      json(method === 'PUT' ? { ...stored, notes: 'new' } : stored),
    );
    await using client = openClient(server.origin);
    await client.clients.update('cli_1', { notes: 'new' });
    expect(toWrites(server.received)).toMatchObject([[undefined, { notes: 'new' }]]);
  });

  it.each([[{ ifMatch: '"mine"' }], [{ ifMatch: '"mine"', partial: true }]])(
    'sends the given tag and fails if the record has another one (%j)',
    async (options) => {
      await using server = await openMisbehavingServer(reading([stored], taking('"v2"')));
      await using client = openClient(server.origin);
      const error = await refusal(client.clients.update('cli_1', { notes: 'new' }, options));
      expect(error.code).toBe('precondition_failed');
      expect(toWrites(server.received)).toMatchObject([['"mine"', { notes: 'new' }]]);
    },
  );
});

describe('with the real service', () => {
  it('two concurrent changes to one client are both kept', async () => {
    const service = await openSharedService();
    await using client = openClient(service.origin, {
      credential: { kind: 'bearer', token: service.keys.owner },
    });
    const { id = '' } = await client.clients.create({ first_name: 'Ada' });
    await Promise.all([
      client.clients.update(id, { notes: 'one' }),
      client.clients.update(id, { tags: ['two'] }),
    ]);
    expect(await client.clients.get(id)).toMatchObject({ first_name: 'Ada', notes: 'one', tags: ['two'] });
  });

  it('a client is deleted only with its current tag', async () => {
    const service = await openSharedService();
    await using client = openClient(service.origin, {
      credential: { kind: 'bearer', token: service.keys.owner },
    });
    const { id = '', etag } = await client.clients.create({ first_name: 'Ada' });
    const changed = await client.clients.update(id, { notes: 'x' });
    const refused = client.clients.delete(id, { ifMatch: etag });
    expect((await refusal(refused)).members).toEqual({ etag: changed.etag });
    expect(await client.clients.getTagged(id)).toEqual({ record: changed.record, etag: changed.etag });
    await client.clients.delete(id, { ifMatch: changed.etag });
  });
});
