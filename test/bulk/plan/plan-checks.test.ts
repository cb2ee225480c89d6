import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  assertBudgets,
  assertPlanFits,
  assertSheetUnchanged,
  type Budgets,
} from '../../../src/bulk/plan/check-plan.ts';
import { toExitCode } from '../../../src/cli/messages/exit-codes.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { refusal } from '../../support/open-client.ts';
import { noCounts, openFolder, sampleHead } from './sample-plan.ts';

const counts = { ...noCounts, rows: 200, update: 10, clears: 4, clearedRows: 2 };

function judge({ records, ...budgets }: Case): string {
  try {
    assertBudgets(counts, budgets, records ?? null);
    return 'allowed';
  } catch (thrown) {
    return thrown instanceof SalonError ? `${thrown.code}: ${thrown.message}` : String(thrown);
  }
}

type Case = Budgets & { readonly records?: number };

describe('a budget', () => {
  it.each<[string, Case, string]>([
    ['that is left out', {}, 'allowed'],
    ['of as many changes as there are', { maxChanges: '10' }, 'allowed'],
    ['of one change too few', { maxChanges: '9' }, 'budget_exceeded: 10 records would change'],
    ['of 5 % of the rows', { maxChanges: '5%' }, 'allowed'],
    ['of 4.9 % of the rows', { maxChanges: '4.9%' }, 'budget_exceeded'],
    ['of 1 % of the records in the list', { maxChanges: '1%', records: 1_000 }, 'allowed'],
    ['of 1 % of a list that is shorter', { maxChanges: '1%', records: 999 }, 'budget_exceeded'],
    ['of as many clears as there are', { maxClears: '4' }, 'allowed'],
    ['of no clears', { maxClears: '0' }, 'budget_exceeded: 4 fields would be cleared, but --max-clears is 0'],
    ['that is no number', { maxChanges: 'many' }, 'usage'],
    ['of a half change', { maxChanges: '0.5' }, 'usage'],
    ['below nothing', { maxClears: '-1' }, 'usage'],
  ])('%s', (_name, budgets, verdict) => {
    expect(judge(budgets).slice(0, verdict.length)).toBe(verdict);
  });

  it.each([
    ['delete', '10 records would be deleted, but --max-changes is 9'],
    ['create', '10 records would be added, but --max-changes is 9'],
  ])('names a %s', (verb, message) => {
    const exceed = () => assertBudgets({ ...noCounts, rows: 10, [verb]: 10 }, { maxChanges: '9' }, null);
    expect(exceed).toThrow(message);
  });

  it('exits with 8 when exceeded', () => {
    expect(toExitCode(new SalonError('budget_exceeded', ''))).toBe(8);
  });
});

describe('assertPlanFits', () => {
  it("accepts the plan's account", () => {
    expect(() => assertPlanFits(sampleHead, { ...sampleHead.account })).not.toThrow();
  });

  it.each([
    ['another account', { origin: 'https://salon.test', account: 'acc_2' }],
    ['another server', { origin: 'https://other.test', account: 'acc_1' }],
    ['an unknown account', { origin: 'https://salon.test', account: null }],
  ])('refuses %s', async (_name, account) => {
    const error = await refusal((async () => assertPlanFits(sampleHead, account))());
    expect(error.code).toBe('usage');
    expect(error.message).toMatch(
      /^The plan was made for account acc_1 at https:\/\/salon\.test, but this is /,
    );
  });
});

describe('the sheet of a plan', () => {
  const sha256 = createHash('sha256').update('id;notes\r\n').digest('hex');
  const head = { ...sampleHead, source: { ...sampleHead.source, sha256 } };

  it.each([
    ['may be as it was', 'id;notes\r\n'],
    ['may be gone', undefined],
  ])('%s', async (_name, text) => {
    await using folder = await openFolder();
    if (text !== undefined) writeFileSync(join(folder.path, 'clients.csv'), text);
    const plan = { path: join(folder.path, 'plan.json'), head };
    await expect(assertSheetUnchanged(plan)).resolves.toBeUndefined();
  });

  it('must not have changed', async () => {
    await using folder = await openFolder();
    writeFileSync(join(folder.path, 'clients.csv'), 'id;notes\n');
    const plan = { path: join(folder.path, 'plan.json'), head };
    expect(await refusal(assertSheetUnchanged(plan))).toMatchObject({
      code: 'conflict',
      message: 'clients.csv has changed since plan.json was made from it.',
    });
  });
});
