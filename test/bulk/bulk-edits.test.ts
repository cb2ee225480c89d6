import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BulkEdits, createBulkEdits } from '../../src/index.ts';
import { collect } from '../support/collect.ts';
import { type EditWorld, openEditWorld } from '../support/edit-world.ts';
import { openFolder } from './plan/sample-plan.ts';

let world: EditWorld;
let folder: Awaited<ReturnType<typeof openFolder>>;
let edits: BulkEdits;

beforeEach(async () => {
  world = await openEditWorld({ clients: 4 });
  folder = await openFolder();
  edits = createBulkEdits({ client: world.client, folder: join(folder.path, 'jobs') });
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function writeNotes(notes: readonly string[]): Promise<string> {
  const ids = (await world.clients()).map(({ id }) => id);
  const path = join(folder.path, 'notes.csv');
  await writeFile(path, ['id,notes', ...notes.map((note, index) => `${ids[index]},${note}`), ''].join('\n'));
  return path;
}

async function readNotes() {
  return (await world.clients()).map(({ notes }) => notes);
}

const update = { noun: 'clients', verb: 'update' } as const;

describe('createBulkEdits', () => {
  it('refuses options that it does not know', async () => {
    const code = 'usage';
    const tagged = { ...update, selection: 'x', all: true, set: { notes: 'x' }, adTags: ['vip'] };
    await expect(edits.planRecords(world.client.clients.list(), tagged)).rejects.toMatchObject({ code });
    const path = await writeNotes(['one']);
    const misspelt = { ...update, allowNewField: true };
    await expect(edits.planSheet(path, misspelt)).rejects.toMatchObject({ code });
    await using planned = await edits.planSheet(path, update);
    const budgets = { maxChange: '0' };
    await expect(edits.apply(planned, budgets as object)).rejects.toMatchObject({ code });
  });

  it('plans without changing anything, applies, reports every row and undoes', async () => {
    const before = await readNotes();
    await using planned = await edits.planSheet(await writeNotes(['one', 'two', '']), update);
    expect(planned.plan.counts).toMatchObject({ rows: 3, update: 2, none: 1, refused: 0 });
    expect(await readNotes()).toEqual(before);

    const watched: number[] = [];
    const { id, tally, stop } = await edits.apply(planned, {
      onProgress: (settled) => watched.push(settled),
    });
    expect({ tally, stop, watched }).toMatchObject({ tally: { done: 2 }, stop: undefined, watched: [1, 2] });
    expect((await readNotes()).slice(0, 2)).toEqual(['one', 'two']);
    const results = await collect(edits.results(id));
    expect(results.map(({ line, result }) => [line, result])).toEqual([
      [2, 'updated'],
      [3, 'updated'],
      [4, 'unchanged'],
    ]);

    await using back = await edits.planUndo(id);
    await edits.apply(back);
    expect(await readNotes()).toEqual(before);
  });

  it('keeps no copy of the sheet in the job', async () => {
    await using planned = await edits.planSheet(await writeNotes(['one']), update);
    const { id } = await edits.apply(planned);
    const kept = await readdir(join(folder.path, 'jobs', id));
    expect(kept.toSorted()).toEqual(['failed.csv', 'job.json', 'journal', 'plan.json', 'results.csv']);
  });

  it('lists every error of a sheet and sends nothing', async () => {
    const path = join(folder.path, 'wrong.csv');
    await writeFile(path, 'id,birthday,emial\ncli_1,soon,a\ncli_1,2001-02-03,b\n');
    const refused = edits.planSheet(path, update);
    await expect(refused).rejects.toMatchObject({
      code: 'usage',
      violations: [
        { parameter: 'wrong.csv:1:emial', code: 'unknown_field' },
        { parameter: 'wrong.csv:2:birthday', code: 'invalid_value' },
        { parameter: 'wrong.csv:3:id', code: 'duplicate' },
      ],
    });
  });

  it('refuses an exceeded budget before anything is sent', async () => {
    const before = await readNotes();
    await using planned = await edits.planSheet(await writeNotes(['one', 'two']), update);
    await expect(edits.apply(planned, { maxChanges: '1' })).rejects.toMatchObject({
      code: 'budget_exceeded',
    });
    expect(await readNotes()).toEqual(before);
  });

  it('stops on abort and resumes later', async () => {
    const controller = new AbortController();
    const stopped = createBulkEdits({
      client: world.client,
      folder: join(folder.path, 'jobs'),
      concurrency: 1,
      signal: controller.signal,
    });
    await using planned = await stopped.planSheet(await writeNotes(['1', '2', '3', '4']), update);
    controller.abort();
    const { id, stop, tally } = await stopped.apply(planned);
    expect({ stop, tally }).toMatchObject({ stop: { code: 'interrupted' }, tally: { done: 0 } });
    expect(await edits.resume(id)).toMatchObject({ stop: undefined, tally: { done: 4 } });
    expect(await edits.resume(id)).toMatchObject({ stop: undefined, tally: { done: 4 } });
    expect(await readNotes()).toEqual(['1', '2', '3', '4']);
  });

  it('refuses a plan of another account', async () => {
    await using planned = await edits.planSheet(await writeNotes(['one']), update);
    const other = { ...planned.plan.head, account: { origin: 'https://elsewhere.test', account: null } };
    const foreign = { ...planned, plan: { ...planned.plan, head: other } };
    await expect(edits.apply(foreign)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('a new sheet that is planned twice before it is applied', () => {
  const create = { noun: 'clients', verb: 'create' } as const;

  it('is added once, whoever applies it', async () => {
    const path = join(folder.path, 'new.csv');
    await writeFile(path, 'first_name,last_name\nAna,Costa\nBea,Cruz\n');
    const others = createBulkEdits({ client: world.client, folder: join(folder.path, 'jobs') });
    await using one = await edits.planSheet(path, create);
    await using other = await others.planSheet(path, create);
    const applied = await Promise.allSettled([edits.apply(one), others.apply(other)]);
    expect(applied.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = applied.find(({ status }) => status === 'rejected');
    expect(refused).toMatchObject({ reason: { code: 'confirmation_required' } });
    expect(await world.clients()).toHaveLength(6);
    await using again = await edits.planSheet(path, create);
    expect(await edits.findAdded(again)).toMatchObject({ code: 'confirmation_required' });
    expect((await edits.apply(again, { again: true })).tally).toMatchObject({ done: 2 });
  });
});
