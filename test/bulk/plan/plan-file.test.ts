import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertFingerprint, toFingerprint } from '../../../src/bulk/plan/check-plan.ts';
import { openPlan, writePlan } from '../../../src/bulk/plan/plan-file.ts';
import { createPlanCounter, type PlannedRow } from '../../../src/bulk/plan/plan-format.ts';
import { collect } from '../../support/collect.ts';
import { refusal } from '../../support/open-client.ts';
import { countBySpeed } from '../../support/speed.ts';
import { each, noCounts, openFolder, sampleHead, sampleRows } from './sample-plan.ts';

const fields = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 4,
  noNullPrototype: true,
});
const update = fc
  .record({ id: fc.string(), change: fields, before: fields, cells: fields })
  .map(({ id, change, before, cells }) => ({ id, change, before: { ...before, id }, cells }));
const other = fc.record({ id: fc.option(fc.string()), cells: fields }, { requiredKeys: ['id'] });
const plannedRow: fc.Arbitrary<Omit<PlannedRow, 'row' | 'line'>> = fc.oneof(
  update.map((row) => ({ act: 'update' as const, ...row })),
  other.map((row) => ({ act: 'none' as const, ...row })),
  other.map((row) => ({ act: 'refused' as const, ...row })),
);
const plannedRows = fc
  .array(plannedRow, { maxLength: 8 })
  .map((rows) => rows.map((row, index): PlannedRow => ({ row: index + 1, line: index + 2, ...row })));

describe('a plan file', () => {
  it('returns its head, rows in order and counts', async () => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    await fc.assert(
      fc.asyncProperty(plannedRows, async (rows) => {
        await writePlan(path, sampleHead, each(rows));
        const plan = await openPlan(path);
        const counter = createPlanCounter();
        for (const row of rows) counter.add(row);
        expect({ head: plan.head, counts: plan.counts }).toEqual({
          head: sampleHead,
          counts: counter.counts(),
        });
        expect(JSON.stringify(await collect(plan.rows()))).toBe(JSON.stringify(rows));
        expect(await collect(plan.rows())).toHaveLength(rows.length);
      }),
      { numRuns: countBySpeed(50) },
    );
  });

  it('is a JSON document with a row per line that only its owner can read', async () => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    await writePlan(path, sampleHead, each(sampleRows));
    const text = readFileSync(path, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      salon_plan: 1,
      created_at: sampleHead.createdAt,
      edit: sampleHead.edit,
      source: sampleHead.source,
      origin: 'https://salon.test',
      account: 'acc_1',
      records: 450,
      rows: sampleRows,
      counts: { rows: 3, update: 1, none: 1, refused: 1, clears: 1, clearedRows: 1 },
    });
    expect(text.split('\n')).toHaveLength(6);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is not written if reading its rows fails', async () => {
    await using folder = await openFolder();
    async function* broken() {
      yield* sampleRows;
      throw new Error('cut');
    }
    await expect(writePlan(join(folder.path, 'plan.json'), sampleHead, broken())).rejects.toThrow('cut');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('may have no rows', async () => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    await writePlan(path, sampleHead, []);
    const plan = await openPlan(path);
    expect(plan.counts).toEqual(noCounts);
    expect(await collect(plan.rows())).toEqual([]);
  });
});

describe('a plan file whose digest was calculated again', () => {
  const deletion: PlannedRow = { row: 4, line: 6, act: 'delete', id: 'cli_3', before: { id: 'cli_3' } };
  const [first] = sampleRows as readonly [PlannedRow];

  it.each<[string, PlannedRow, string]>([
    ['deletes', deletion, 'deletes a record, but the plan changes records'],
    ['adds', { row: 4, line: 6, act: 'create', id: null, change: {} }, 'adds a record, but'],
    ['is for another record than it shows', { ...first, row: 4, id: 'cli_7' }, 'is for another record'],
    ['was merged from another plan', { ...first, row: 2 }, 'is out of order'],
    [
      'has no values',
      { row: 4, line: 6, act: 'update', id: 'cli_1', before: { id: 'cli_1' } },
      'has no values',
    ],
    ['is no object', 7 as unknown as PlannedRow, 'it changed while in use'],
  ])('is refused for a row that %s', async (_title, row, reason) => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    await writePlan(path, sampleHead, each([...sampleRows, row]));
    const plan = await openPlan(path);
    const error = await refusal(collect(plan.rows()));
    expect(error).toMatchObject({ code: 'usage', message: expect.stringContaining(reason) });
  });

  it('is refused for an operation that does not exist', async () => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    const edit = { ...sampleHead.edit, verb: 'replace' } as unknown as typeof sampleHead.edit;
    await writePlan(path, { ...sampleHead, edit }, []);
    expect(await refusal(openPlan(path))).toMatchObject({ code: 'usage' });
  });
});

describe('the fingerprint of a plan', () => {
  const plan = { path: 'plan.json', sha256: '3f2a91bc0d4e7a11'.repeat(4) };

  it('is accepted in full, short, and in capital letters', () => {
    for (const text of [toFingerprint(plan), plan.sha256, ' 3F2A91BC0D4E ']) assertFingerprint(plan, text);
  });

  it.each([
    ['another one', '3f2a91bc0d4e7a12', 'conflict'],
    ['too short a part', '3f2a91bc0d4', 'usage'],
    ['another text', 'plan.json', 'usage'],
    ['too long a text', `${plan.sha256}0`, 'usage'],
  ])('is refused for %s', (_title, text, code) => {
    expect(() => assertFingerprint(plan, text)).toThrow(expect.objectContaining({ code }));
  });
});

describe('a damaged or edited plan file', () => {
  it('is refused wherever it is truncated', async () => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    await writePlan(path, sampleHead, each(sampleRows));
    const whole = readFileSync(path);
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      expect((await refusal(openPlan(path))).code, `${length} bytes`).toBe('usage');
    }
  });

  it('is refused whichever byte is changed', async () => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    await writePlan(path, sampleHead, each(sampleRows));
    const whole = readFileSync(path);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: whole.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const bytes = Buffer.from(whole);
          bytes[at] = (bytes[at] ?? 0) ^ change;
          writeFileSync(path, bytes);
          expect((await refusal(openPlan(path))).code).toBe('usage');
        },
      ),
      { numRuns: countBySpeed(200) },
    );
  });

  it.each([
    ['truncated within a line', (text: string) => text.slice(0, -200), /plan\.json .* at line \d\.$/],
    ['truncated after a line', (text: string) => text.split('\n').slice(0, 3).join('\n'), /at line 3\.$/],
    ['edited by hand', (text: string) => text.replace('Zoë', 'Ana'), /it was edited\.$/],
    ['with extra text at the end', (text: string) => `${text}\n`, /at line 6\.$/],
    ['reformatted', (text: string) => JSON.stringify(JSON.parse(text), null, 2), /line 1 does not start/],
    [
      'of a newer salon',
      (text: string) => text.replace('"salon_plan":1', '"salon_plan":2'),
      /another version of salon/,
    ],
    ['without content', () => '', /it is empty\.$/],
  ])('%s is reported', async (_name, change, message) => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    await writePlan(path, sampleHead, each(sampleRows));
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    const error = await refusal(openPlan(path));
    expect(error.message).toMatch(message);
    expect(error.message).toContain(path);
  });

  it('names the line if it changes while it is read', async () => {
    await using folder = await openFolder();
    const path = join(folder.path, 'plan.json');
    await writePlan(path, sampleHead, each(sampleRows));
    const plan = await openPlan(path);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"none"', '"none'));
    expect((await refusal(collect(plan.rows()))).message).toMatch(/at line 3\.$/);
  });

  it.each([
    ['is not there', 'nothing.json', /no such file\.$/],
    ['is a folder', '.', /^Cannot read/],
  ])('is refused if it %s', async (_name, name, message) => {
    await using folder = await openFolder();
    const error = await refusal(openPlan(join(folder.path, name)));
    expect(error).toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
  });
});
