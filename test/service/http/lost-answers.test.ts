import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BulkEdits, createBulkEdits } from '../../../src/index.ts';
import { collect } from '../../support/collect.ts';
import {
  type CuttingProxy,
  type Fate,
  openCommitCutter,
  openCuttingProxy,
} from '../../support/cutting-proxy.ts';
import { type Client, type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { openClient } from '../../support/open-client.ts';
import { isPostgres } from '../../support/postgres.ts';
import { createRandomNumbers } from '../../support/random-numbers.ts';
import { countBySpeed } from '../../support/speed.ts';
import { createTestClock } from '../../support/test-clock.ts';

const seeds = countBySpeed(4, 1000);
const rows = 6;

let world: EditWorld;
let network: CuttingProxy;
let database: CuttingProxy | undefined;
/** What becomes of a request to the service, and of a commit of the service. */
let requestFate: () => Fate = () => 'pass';
let commitFate: () => Fate = () => 'pass';

beforeAll(async () => {
  world = await openEditWorld({
    clients: 0,
    async through(location) {
      if (!isPostgres) return location;
      database = await openCommitCutter(location, () => commitFate());
      return Object.assign(new URL(location), { port: String(database.port) }).href;
    },
  });
  network = await openCuttingProxy({
    host: '127.0.0.1',
    port: Number(new URL(world.service.origin).port),
    createDecider: () => (sent) =>
      /^(?:GET|PUT|POST|DELETE) \//.test(String(sent)) ? requestFate() : 'pass',
  });
});
afterAll(async () => {
  await network[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

/** The records of a seed, by the number in their name. */
async function readRecords(seed: number): Promise<Map<number, Client[]>> {
  const pages = await collect(world.client.clients.list({ q: `Seed ${seed}` }));
  const found = pages.flatMap((page) => page.rows as unknown as Client[]);
  const own = found.filter(({ last_name }) => last_name === `Seed ${seed}`);
  return Map.groupBy(own, ({ first_name }) => Number(first_name));
}

interface Scene {
  readonly seed: number;
  readonly edits: BulkEdits;
  readonly verb: 'create' | 'update' | 'delete';
  /** Lets faults happen, or not. */
  readonly setFaults: (are: boolean) => void;
}

/** A client of random patience, and random faults on its way to the service and of that to its database. */
function openScene(seed: number): Scene & AsyncDisposable {
  const random = createRandomNumbers(seed * 7919);
  const pick = (most: number) => Math.floor(random() * (most + 1));
  const chances = { request: random() * 0.3, commit: random() * 0.3 };
  const draw = (chance: number, fates: readonly Fate[]): Fate =>
    random() < chance ? (fates[pick(fates.length - 1)] ?? 'pass') : 'pass';
  const verb = (['update', 'update', 'create', 'delete'] as const)[pick(3)] ?? 'update';
  const concurrency = 1 + pick(7);
  const client = openClient(`http://127.0.0.1:${network.port}`, {
    credential: { kind: 'bearer', token: world.service.keys.owner },
    clock: createTestClock(Date.now()),
    retries: pick(3),
    concurrency,
    random,
  });
  const edits = createBulkEdits({ client, folder: join(world.pathOf('.'), 'jobs'), concurrency });
  const setFaults = (are: boolean) => {
    requestFate = () => (are ? draw(chances.request, ['drop', 'lose', 'halve']) : 'pass');
    commitFate = () => (are ? draw(chances.commit, ['drop', 'lose']) : 'pass');
  };
  setFaults(false);
  return { seed, edits, verb, setFaults, [Symbol.asyncDispose]: () => client.close() };
}

/** Applies a plan with faults, and resumes the job until nothing is left. Returns its results by line. */
async function applyWithFaults(
  { edits, setFaults }: Scene,
  planned: Awaited<ReturnType<BulkEdits['planUndo']>>,
) {
  setFaults(true);
  try {
    let { id, stop } = await edits.apply(planned);
    for (let runs = 0; stop !== undefined; runs += 1) {
      expect(runs, `it never ends: ${stop.message}`).toBeLessThan(200);
      ({ stop } = await edits.resume(id).catch((thrown) => ({ stop: thrown })));
    }
    return { id, results: await collect(edits.results(id)) };
  } finally {
    setFaults(false);
  }
}

/** Undoes a job, and does so again while the result of a row is unknown: a deletion is undone only once. */
async function undoWithFaults(scene: Scene, id: string) {
  await using undo = await scene.edits.planUndo(id);
  const { results } = await applyWithFaults(scene, undo);
  if (scene.verb === 'delete' || results.every(({ result }) => result !== 'doubtful')) return results;
  return undoWithFaults(scene, id);
}

describe('a bulk edit while the network and the database lose requests, answers and confirmations', () => {
  it(`reports what the records are, and its undo restores all of it, with ${seeds} seeds`, async () => {
    const counts: Record<string, number> = {};
    for (let seed = 1; seed <= seeds; seed += 1) {
      await using scene = openScene(seed);
      const { edits, verb } = scene;
      const before: Client[] = [];
      for (let row = 0; verb !== 'create' && row < rows; row += 1) {
        const body = { first_name: String(row), last_name: `Seed ${seed}`, notes: `old ${row}` };
        before.push((await world.client.clients.create(body)).record as unknown as Client);
      }
      const name = `seed-${seed}.csv`;
      world.writeSheet(
        name,
        Array.from({ length: rows }, (_, row) => {
          const id = before[row]?.id;
          if (verb === 'create') return { first_name: row, last_name: `Seed ${seed}`, notes: `new ${row}` };
          return verb === 'delete' ? { id } : { id, notes: `new ${row}` };
        }),
      );
      await using planned = await edits.planSheet(world.pathOf(name), { noun: 'clients', verb });
      const { id, results } = await applyWithFaults(scene, planned);
      expect(results, `seed ${seed}`).toHaveLength(rows);
      const after = await readRecords(seed);
      for (const { line, id: reportedId, result } of results) {
        const row = line - 2;
        const found = after.get(row) ?? [];
        const isDone = verb === 'delete' ? found.length === 0 : found[0]?.['notes'] === `new ${row}`;
        const message = `seed ${seed}, ${verb}, line ${line}: ${result}`;
        counts[result] = (counts[result] ?? 0) + 1;
        expect(found.length, message).toBeLessThanOrEqual(1);
        if (result === `${verb}d`) {
          expect(isDone, message).toBe(true);
          if (found[0] !== undefined) expect(found[0].id, message).toBe(reportedId);
        } else {
          expect(result, message).toMatch(/^(?:doubtful|failed|stale|unchanged)$/);
          if (result !== 'doubtful') expect(isDone, message).toBe(false);
        }
      }

      const undone = await undoWithFaults(scene, id);
      const restored = await readRecords(seed);
      const message = `seed ${seed}, ${verb}: ${JSON.stringify([results, undone])}`;
      const uncertain = undone.filter(({ result }) => result === 'doubtful').map(({ line }) => line - 2);
      const rest = before.map((_, row) => row).filter((row) => restored.has(row) || !uncertain.includes(row));
      expect([...restored.keys()].sort(), message).toEqual(rest);
      for (const [row, found] of restored) {
        expect(
          found.map(({ notes }) => notes),
          `row ${row} of ${message}`,
        ).toEqual([`old ${row}`]);
      }
    }
    if (seeds > 100) process.stdout.write(`${seeds} seeds: ${JSON.stringify(counts)}\n`);
    expect(counts['failed'] ?? 0).toBe(0);
  });
});
