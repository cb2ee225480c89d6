import { describe, expect, it } from 'vitest';
import { openClient } from '../../support/open-client.ts';
import { type ForeignSalon, openForeignSalon, toQuestions } from '../apply/foreign-salon.ts';
import { planSheet } from './plan-sheet.ts';

const records = Array.from({ length: 450 }, (_, index) => ({
  id: `cli_${index + 1}`,
  email: `c${index + 1}@x.org`,
  notes: null,
}));

const pages = ['clients', 'clients', 'clients page=2', 'clients page=3'];

function rowsOf(ids: readonly string[], match = 'id') {
  return ids.map((id) => ({ [match]: id, notes: 'new' }));
}

async function planOn(salon: Partial<ForeignSalon>, ids: readonly string[], match = 'id') {
  await using server = await openForeignSalon({ records, ...salon });
  await using client = openClient(server.origin, { dialect: { paging: 'page' } });
  const { rows, records: total } = await planSheet(client, { match }, rowsOf(ids, match));
  return {
    total,
    acts: rows.map(({ act, id }) => `${act} ${id}`),
    reasons: rows.flatMap(({ refusal }) => refusal?.reason ?? []),
    questions: toQuestions(server),
  };
}

describe('readCurrentRecords uses the fewest requests', () => {
  it.each([
    ['nothing for no rows', 0, []],
    ['one by one where there are one or two', 2, ['clients/cli_401', 'clients/cli_402']],
    ['the list where that is cheaper, after a look at how long it is', 3, pages],
  ])('%s', async (_name, count, questions) => {
    const ids = records.slice(400, 400 + count).map(({ id }) => id);
    const planned = await planOn({}, ids);
    expect(planned.questions.toSorted()).toEqual(questions);
    expect(planned.acts).toEqual(ids.map((id) => `update ${id}`));
  });

  it('one by one for a long list, except records on its first page', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({ id: `cli_${index + 1}` }));
    const planned = await planOn({ records: many }, ['cli_1', 'cli_1001', 'cli_1002']);
    expect(planned.questions).toEqual(['clients', 'clients/cli_1001', 'clients/cli_1002']);
    expect(planned).toMatchObject({
      total: 2_000,
      acts: ['update cli_1', 'update cli_1001', 'update cli_1002'],
    });
  });

  it('in one page if the list has only one', async () => {
    const planned = await planOn({ records: records.slice(0, 149) }, ['cli_1', 'cli_2', 'cli_999']);
    expect(planned.questions).toEqual(['clients']);
    expect(planned).toMatchObject({ total: 149, reasons: ['No client with ID cli_999.'] });
  });

  it('from the list if the server sends no total', async () => {
    const planned = await planOn({ counts: false }, ['cli_1', 'cli_2', 'cli_3']);
    expect(planned.questions.filter((asked) => asked.startsWith('clients/'))).toEqual([]);
    expect(planned.acts).toEqual(['update cli_1', 'update cli_2', 'update cli_3']);
  });

  it.each([
    ['by a filter that is honoured', 'honours', ['clients email=c7@x.org']],
    [
      'in the list where a filter is passed over',
      'ignores',
      ['clients email=c7@x.org', 'clients', 'clients page=2', 'clients page=3'],
    ],
    [
      'in the list where a filter is refused',
      'refuses',
      ['clients email=c7@x.org', 'clients email=c7@x.org', 'clients', 'clients page=2', 'clients page=3'],
    ],
  ] as const)('%s', async (_name, filter, questions) => {
    const planned = await planOn({ filter }, ['C7@x.org'], 'email');
    expect(planned).toMatchObject({ acts: ['update cli_7'], questions });
  });

  it('from the list for a field without a filter', async () => {
    const named = records.map((record, index) => ({ ...record, external_id: `A-${index}` }));
    const planned = await planOn({ records: named }, ['A-6'], 'external_id');
    expect(planned).toMatchObject({ acts: ['update cli_7'], questions: pages.slice(1) });
  });
});

describe('a server that reads no single records', () => {
  it('is tried once, then its list is read', async () => {
    const planned = await planOn({ single: 'none' }, ['cli_401', 'cli_402']);
    expect(planned.acts).toEqual(['update cli_401', 'update cli_402']);
    const asked = planned.questions.filter((question) => question.startsWith('clients/'));
    expect(asked).toHaveLength(1);
  });

  it('leaves open whether a record missing from its list exists', async () => {
    const planned = await planOn({ single: 'none' }, ['cli_1', 'cli_2', 'cli_999']);
    expect(planned.reasons).toEqual([
      'No client with ID cli_999 found (the list changed while it was read).',
    ]);
  });

  it('differs from one with its own way to report a missing record', async () => {
    const planned = await planOn({ single: 'foreign' }, ['cli_1', 'cli_999']);
    expect(planned.acts).toEqual(['update cli_1', 'refused cli_999']);
    expect(planned.questions).toContain('clients/cli_999');
    expect(planned.reasons).toEqual(['No client with ID cli_999.']);
  });
});

describe('a record missing from the list', () => {
  const hide = (rows: ForeignSalon['records'], page: number) =>
    page === 2 ? rows.filter(({ id }) => id !== 'cli_333') : rows;

  it.each(['contract', 'foreign'] as const)('is looked up before its row is refused (%s)', async (single) => {
    const planned = await planOn({ single, show: hide }, ['cli_1', 'cli_333', 'cli_999']);
    expect(planned.acts).toEqual(['update cli_1', 'update cli_333', 'refused cli_999']);
    expect(planned.reasons).toEqual(['No client with ID cli_999.']);
  });

  it('is looked up only while that costs no more than the list did', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `cli_${9_000 + index}`);
    const planned = await planOn({}, ids);
    expect(planned.questions.filter((asked) => asked.startsWith('clients/'))).toHaveLength(4);
    expect(planned.reasons[39]).toMatch(/the list changed while it was read/);
  });
});
