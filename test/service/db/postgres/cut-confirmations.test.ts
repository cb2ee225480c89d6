import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientOptions, createBulkEdits, type SalonClient } from '../../../../src/index.ts';
import { collect } from '../../../support/collect.ts';
import { type CuttingProxy, type Fate, openCommitCutter } from '../../../support/cutting-proxy.ts';
import { type Client, type EditWorld, openEditWorld } from '../../../support/edit-world.ts';
import { openClient } from '../../../support/open-client.ts';
import { createRandomNumbers } from '../../../support/random-numbers.ts';
import { sendRequest, toJson } from '../../../support/send-request.ts';
import { bySpeed } from '../../../support/speed.ts';
import { createTestClock } from '../../../support/test-clock.ts';

let world: EditWorld;
let proxy: CuttingProxy;
/** What becomes of each commit of the service. */
let decide: (transaction: string) => Fate;
let cuts: number;

beforeAll(async () => {
  decide = () => 'pass';
  world = await openEditWorld({
    clients: bySpeed({ full: 40, long: 120 }),
    appointments: 40,
    async through(database) {
      proxy = await openCommitCutter(database, (transaction) => {
        const fate = decide(transaction);
        if (fate !== 'pass') cuts += 1;
        return fate;
      });
      return Object.assign(new URL(database), { port: String(proxy.port) }).href;
    },
  });
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

/** The first transaction with this text has this fate. */
function cutFirst(text: string, fate: Fate = 'lose'): void {
  cuts = 0;
  decide = (transaction) => (cuts === 0 && transaction.includes(text) ? fate : 'pass');
}

/** A client whose waits between retries take no time. */
function openOwnClient(options: Partial<ClientOptions> = {}): SalonClient {
  const { origin, keys } = world.service;
  return openClient(origin, { credential: { kind: 'bearer', token: keys.owner }, ...options });
}

/** Runs a command whose waits between retries take no time. */
const salon = (...argv: string[]) => world.salon(argv, { clock: createTestClock(Date.now()) });

const toWords = (flags: string) => flags.split(' ').filter(Boolean);

describe('a service whose commit is not confirmed', () => {
  it.each([
    ['lose', 'true'],
    ['drop', 'false'],
  ] as const)(
    'answers commit_unknown, and a repeat with the same key runs once: %s',
    async (fate, replayed) => {
      const create = () =>
        sendRequest(`${world.service.origin}/api/v1/clients`, {
          method: 'POST',
          key: world.service.keys.owner,
          headers: { 'idempotency-key': `key-${fate}` },
          body: { first_name: `Once ${fate}` },
        });
      cutFirst(`Once ${fate}`, fate);
      const unknown = await create();
      expect(cuts).toBe(1);
      expect(unknown).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(toJson(unknown)).toMatchObject({ code: 'commit_unknown', title: 'Change not confirmed' });
      const second = await create();
      expect(second).toMatchObject({ status: 201 });
      expect(second.headers['idempotent-replayed']).toBe(replayed);
      expect((await world.clients()).filter(({ first_name }) => first_name === `Once ${fate}`)).toHaveLength(
        1,
      );
    },
  );
});

describe('a single command whose commit is not confirmed', () => {
  const read = async (noun: string) => {
    const [record] = await world.read<Client[]>([noun, 'list', '--limit', '1', '--sort', '-created_at']);
    return record as Client;
  };

  it('updates a client once, with and without a condition', async () => {
    const { id } = await read('clients');
    for (const flags of ['', ' --partial', ' --retries 0']) {
      cutFirst(`note${flags}`);
      const ran = await salon('clients', 'update', id, '--set', `notes=note${flags}`, ...toWords(flags));
      expect([cuts, ran.exitCode], ran.stderr).toEqual([1, 0]);
      expect(await world.client.clients.get(id)).toMatchObject({ notes: `note${flags}` });
    }
    const { etag = '' } = await world.client.clients.getTagged(id);
    cutFirst('conditional');
    const written = await world.client.clients.update(id, { notes: 'conditional' }, { ifMatch: etag });
    expect([cuts, written.outcome, written.record?.notes]).toEqual([1, 'done', 'conditional']);
  });

  it('says that the result is unknown where the record is not as planned', async () => {
    const { id } = await read('clients');
    const { etag = '' } = await world.client.clients.getTagged(id);
    cutFirst('mine');
    // Before the repeat is sent, somebody else changes the same field.
    const sleep = async () => {
      await world.client.clients.update(id, { notes: 'theirs' }, { partial: true });
    };
    await using client = openOwnClient({ clock: { now: Date.now, sleep } });
    const outcome = await client.clients
      .update(id, { notes: 'mine' }, { ifMatch: etag })
      .catch((thrown) => thrown);
    expect(outcome).toMatchObject({ code: 'result_unknown', members: { in_doubt: true } });
  });

  it.each(['', '--retries 0'])('deletes a client and exits 0 %s', async (flags) => {
    const { id } = await world.client.clients.create({ first_name: 'Gone' });
    cutFirst(String(id));
    const ran = await salon('clients', 'delete', String(id), '--yes', ...toWords(flags));
    expect([cuts, ran.exitCode], ran.stderr).toEqual([1, 0]);
    await expect(world.client.clients.get(String(id))).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['', '--retries 0'])('updates and cancels an appointment %s', async (flags) => {
    const rows = await world.read<Client[]>(['appointments', 'list', '--status', 'confirmed,pending']);
    const { id } = rows.at(-1) as Client;
    cutFirst('bring tea');
    const argv = ['appointments', 'update', id, '--set', 'notes=bring tea', ...toWords(flags)];
    const updated = await salon(...argv);
    expect([cuts, updated.exitCode], updated.stderr).toEqual([1, 0]);
    cutFirst('moved away');
    const reason = ['--reason', 'moved away'];
    const cancelled = await salon('appointments', 'cancel', id, ...reason, '--yes', ...toWords(flags));
    expect([cuts, cancelled.exitCode], cancelled.stderr).toEqual([1, 0]);
    expect(await world.client.appointments.get(id)).toMatchObject({
      status: 'cancelled',
      notes: 'bring tea',
    });
  });

  it('merges two clients once', async () => {
    const [into, from] = await Promise.all(
      ['Ada', 'Adah'].map(async (first_name) => (await world.client.clients.create({ first_name })).id),
    );
    cutFirst(`${from}`);
    const ran = await salon('clients', 'merge', String(into), String(from), '--yes');
    expect([cuts, ran.exitCode], ran.stderr).toEqual([1, 0]);
    await expect(world.client.clients.get(`${from}`)).rejects.toMatchObject({
      members: { merged_into: into },
    });
  });
});

describe('a bulk edit while three of ten confirmations are cut', () => {
  it.each(bySpeed({ full: [1], long: [1, 2, 3, 4, 5] }))(
    'reports what the records are, and its undo restores all of them: seed %d',
    async (seed) => {
      const random = createRandomNumbers(seed);
      const before = await world.clients();
      const path = world.pathOf('notes.csv');
      world.writeSheet(
        'notes.csv',
        before.map(({ id }, index) => ({ id, notes: `new ${index}` })),
      );
      const edits = createBulkEdits({ client: openOwnClient(), folder: join(world.pathOf('.'), 'jobs') });
      await using planned = await edits.planSheet(path, { noun: 'clients', verb: 'update' });
      cuts = 0;
      decide = () => (random() < 0.3 ? 'lose' : 'pass');
      const { id } = await edits.apply(planned);
      await finish(edits, id);
      expect(cuts).toBeGreaterThan(3);
      const results = await collect(edits.results(id));
      const after = await world.clients();
      expect(results.map(({ result }) => result)).toEqual(before.map(() => 'updated'));
      expect(after.map(({ notes }) => notes)).toEqual(before.map((_, index) => `new ${index}`));

      await using undo = await edits.planUndo(id);
      const undone = await edits.apply(undo);
      await finish(edits, undone.id);
      decide = () => 'pass';
      const restored = await world.clients();
      expect(restored.map(({ notes }) => notes)).toEqual(before.map(({ notes }) => notes));
    },
  );

  /** Resumes a job until nothing is left. */
  async function finish(edits: ReturnType<typeof createBulkEdits>, id: string): Promise<void> {
    for (let runs = 0; !(await edits.resume(id)).wasDone; runs += 1) expect(runs).toBeLessThan(50);
  }
});
