import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type BulkEdits,
  createBulkEdits,
  createClient,
  type SelectedEdit,
  selectClients,
} from '../../../src/index.ts';
import { collect } from '../../support/collect.ts';
import { type EditWorld, openEditWorld } from '../../support/edit-world.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { refusal } from '../../support/open-client.ts';
import { openFolder } from './sample-plan.ts';

let world: EditWorld;
let folder: Awaited<ReturnType<typeof openFolder>>;
let edits: BulkEdits;
let ids: string[];

beforeEach(async () => {
  world = await openEditWorld({ clients: 0 });
  folder = await openFolder();
  edits = createBulkEdits({ client: world.client, folder: join(folder.path, 'jobs') });
  ids = [];
  for (const tags of [['vip'], ['Vip', 'new'], ['winback', 'vip'], []]) {
    ids.push((await world.client.clients.create({ first_name: 'Ana', tags })).id ?? '');
  }
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const tagsOf = async () => (await world.clients()).map(({ tags }) => tags);
const winback: SelectedEdit = {
  noun: 'clients',
  verb: 'update',
  selection: '--tag vip',
  addTags: ['winback'],
};
const plan = (edit: Partial<SelectedEdit> = {}) =>
  edits.planRecords(selectClients(world.client, { tags: ['vip'] }), { ...winback, ...edit });

describe('planRecords', () => {
  it('plans only what changes, applies it, and undoes it', async () => {
    const before = await tagsOf();
    await using planned = await plan();
    expect(planned.plan.counts).toMatchObject({ rows: 3, update: 2, none: 1, fields: { tags: 2 } });
    expect(planned.plan.head.source).toMatchObject({ name: '--tag vip', isCondition: true });
    expect(await tagsOf()).toEqual(before);

    const { id } = await edits.apply(planned);
    expect(await tagsOf()).toEqual([['vip', 'winback'], ['Vip', 'new', 'winback'], ['winback', 'vip'], []]);
    await using back = await edits.planUndo(id);
    await edits.apply(back);
    expect(await tagsOf()).toEqual(before);
  });

  it('removes tags, whatever their case, and sets other fields', async () => {
    await using planned = await plan({ addTags: [], removeTags: ['VIP'], set: { notes: 'Was a VIP.' } });
    await edits.apply(planned);
    const now = await world.clients();
    expect(now.map(({ tags, notes }) => [tags, notes])).toEqual([
      [[], 'Was a VIP.'],
      [['new'], 'Was a VIP.'],
      [['winback'], 'Was a VIP.'],
      [[], null],
    ]);
  });

  it('deletes what matches', async () => {
    await using planned = await plan({ verb: 'delete', addTags: [] });
    await edits.apply(planned);
    expect((await world.clients()).map(({ id }) => id)).toEqual([ids[3]]);
  });

  it('skips a record that somebody has changed since, in a field that selected it', async () => {
    await using planned = await plan({ set: { notes: 'VIP' }, addTags: [], watch: ['tags'] });
    await world.client.clients.update(ids[0] ?? '', { tags: [] });
    await world.client.clients.update(ids[1] ?? '', { last_name: 'Costa' });
    const { tally, id } = await edits.apply(planned);
    expect(tally).toMatchObject({ done: 2, stale: 1 });
    const [first] = await collect(edits.results(id));
    expect(first).toMatchObject({ id: ids[0], result: 'stale', present: { notes: null, tags: [] } });
  });

  it('is saved with its selection, and is not compared with a file of that name', async () => {
    const path = join(folder.path, 'plan.json');
    {
      await using planned = await plan();
      await edits.savePlan(planned, path);
    }
    await writeFile(join(folder.path, '--tag vip'), 'a file');
    await using loaded = await edits.loadPlan(path);
    expect(loaded.plan.head.source.name).toBe('--tag vip');
    expect((await edits.apply(loaded)).tally.done).toBe(2);
  });

  it('keeps within a share of all records', async () => {
    await using planned = await plan();
    const error = await refusal(edits.apply(planned, { maxChanges: '49%' }));
    expect(error.code).toBe('budget_exceeded');
    expect((await edits.apply(planned, { maxChanges: '50%' })).tally.done).toBe(2);
  });

  it.each<[string, Partial<SelectedEdit>, string]>([
    ['no name', { selection: ' ' }, 'needs a name'],
    ['nothing to change', { addTags: [] }, 'Nothing to change'],
    ['a blank tag', { addTags: [' '] }, 'cannot be a tag'],
    ['a long tag', { addTags: ['x'.repeat(51)] }, 'cannot be a tag'],
    ['a tag both added and removed', { removeTags: ['Winback'] }, 'both added and removed'],
    ['tags both set and added', { set: { tags: [] } }, 'not both'],
    ['an invalid value', { set: { birthday: '24/11/1990' } }, 'Invalid birthday'],
    ['an unknown field', { set: { emial: 'x' } }, 'Did you mean email?'],
    ['a field of the server', { set: { created_at: 'x' } }, 'Only the server sets created_at'],
    ['tags of appointments', { noun: 'appointments' }, 'Only clients have tags'],
  ])('refuses %s', async (_what, edit, reason) => {
    const error = await refusal(plan(edit));
    expect([error.code, error.message]).toEqual(['usage', expect.stringContaining(reason)]);
  });
});

describe('planRecords over every record', () => {
  const { clients, appointments } = { clients: 'clients', appointments: 'appointments' } as const;

  it.each([
    ['clients without a query', () => world.client.clients.list(), clients],
    ['clients in an order', () => world.client.clients.list({ sort: 'last_name' }), clients],
    [
      'appointments of nobody in particular',
      () => world.client.appointments.list({ stylist_id: undefined } as never),
      appointments,
    ],
  ])('is refused without all: true: %s', async (_what, list, noun) => {
    const before = await tagsOf();
    const edit = { ...winback, noun, addTags: [], set: { notes: 'x' } } as const;
    const error = await refusal(edits.planRecords(list(), edit));
    expect([error.code, error.message]).toEqual(['usage', `This list has no filter: it is all ${noun}.`]);
    expect(await tagsOf()).toEqual(before);
    await using planned = await edits.planRecords(list(), { ...edit, all: true });
    expect(planned.plan.counts.update).toBe(planned.plan.counts.rows);
  });

  it.each([
    ['clients', () => world.client.clients.list({ search: 'an' } as never), 'There is no filter search.'],
    [
      'clients',
      () => world.client.clients.list({ emial: 'a' } as never),
      'There is no filter emial. Did you mean email?',
    ],
    [
      'appointments',
      () => world.client.appointments.list({ stylist: 'x' } as never),
      'There is no filter stylist. Did you mean stylist_id?',
    ],
    ['payments', () => world.client.payments.list({ page: 2 } as never), 'There is no filter page.'],
    ['stylists', () => world.client.stylists.list({ q: 'x' } as never), 'There is no filter q.'],
  ])('cannot be asked for by an unknown filter of %s', (_noun, list, message) => {
    expect(list).toThrow(expect.objectContaining({ code: 'usage', message }));
  });
});

describe('planRecords on a server that ignores filters', () => {
  async function planOn(rows: readonly object[], query: { readonly q?: string; readonly email?: string }) {
    await using server = await openMisbehavingServer(() =>
      json({ data: rows, pagination: { page: 1, per_page: 200, total: rows.length } }),
    );
    await using client = createClient({ baseUrl: server.origin, credential: { kind: 'bearer', token: 'k' } });
    const readAccount = async () => ({ origin: server.origin, account: null });
    const others = createBulkEdits({ client, folder: join(folder.path, 'others'), readAccount });
    await using planned = await others.planRecords(selectClients(client, {}, { query }), {
      ...winback,
      addTags: [],
      set: { notes: 'x' },
      allowNewFields: true,
    });
    return planned.plan.counts;
  }

  it('plans what the rows show to match', async () => {
    const rows = [
      { id: '1', email: 'ana@x.test', notes: null },
      { id: '2', email: 'bo@x.test', notes: null },
    ];
    expect(await planOn(rows, { email: 'ana@x.test' })).toMatchObject({ rows: 1, update: 1 });
  });

  it('refuses where the rows do not show it: such a list never feeds a write', async () => {
    const error = await refusal(planOn([{ id: '1', name: 'Ana' }], { email: 'ana@x.test' }));
    expect(error.code).toBe('unexpected_response');
    expect(error.message).toBe('Nothing shows that the clients match email. Nothing was sent.');
  });
});

describe('cancelling appointments', () => {
  it('is undone by booking them again, as far as they still can be', async () => {
    const [stylist_id = ''] = world.service.stylistIds;
    const client_id = ids[0] ?? '';
    const book = (start_time: string) =>
      world.client.appointments.create({ client_id, stylist_id, service: 'Cut', start_time, duration: 30 });
    await book('2031-01-06T10:00:00Z');
    await book('2031-01-06T11:00:00Z');
    const all = async () =>
      (await collect(world.client.appointments.list())).flatMap(({ rows }) => [...rows]);
    const before = await all();
    const sick = {
      noun: 'appointments',
      verb: 'delete',
      selection: 'the day',
      reason: 'Mia is ill',
    } as const;
    await using planned = await edits.planRecords(world.client.appointments.list(), { ...sick, all: true });
    const { id, tally } = await edits.apply(planned);
    expect(tally.done).toBe(2);
    expect((await collect(edits.results(id))).map(({ result }) => result)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect((await all()).map((one) => [one.status, one.cancellation_reason])).toEqual([
      ['cancelled', 'Mia is ill'],
      ['cancelled', 'Mia is ill'],
    ]);

    await book('2031-01-06T11:15:00Z');
    await using back = await edits.planUndo(id);
    expect(back.plan.counts.create).toBe(2);
    const undone = await edits.apply(back);
    expect(undone.tally).toMatchObject({ done: 1, failed: 1 });
    const open = (await all()).filter(({ status }) => status !== 'cancelled');
    expect(open.map(({ start_time }) => start_time)).toEqual([
      '2031-01-06T11:15:00Z',
      '2031-01-06T10:00:00Z',
    ]);
    const { id: _old, created_at, updated_at, ...booking } = before[0] ?? {};
    expect(open[1]).toMatchObject(booking);
    await expect(edits.planUndo(id)).rejects.toMatchObject({ code: 'conflict' });

    await using again = await edits.planUndo(undone.id);
    expect((await edits.apply(again)).tally.done).toBe(1);
    expect((await all()).filter(({ status }) => status !== 'cancelled')).toHaveLength(1);
  });
});
