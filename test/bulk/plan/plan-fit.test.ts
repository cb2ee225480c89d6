import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assertPlanFits, assertSheetUnchanged } from '../../../src/bulk/plan/plan-fit.ts';
import { refusal } from '../../support/open-client.ts';
import { openFolder, sampleHead } from '../edit/sample-plan.ts';

describe('a plan is carried out', () => {
  it('for the account it was made for', () => {
    expect(() => assertPlanFits(sampleHead, { ...sampleHead.account })).not.toThrow();
  });

  it.each([
    ['another account', { origin: 'https://salon.test', account: 'acc_2' }],
    ['another server', { origin: 'https://other.test', account: 'acc_1' }],
    ['an account nobody can name', { origin: 'https://salon.test', account: null }],
  ])('but not for %s', async (_name, account) => {
    const error = await refusal((async () => assertPlanFits(sampleHead, account))());
    expect(error.code).toBe('usage');
    expect(error.message).toMatch(
      /^The plan was made for account acc_1 at https:\/\/salon\.test, and this is /,
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

  it('may not have changed since', async () => {
    await using folder = await openFolder();
    writeFileSync(join(folder.path, 'clients.csv'), 'id;notes\n');
    const plan = { path: join(folder.path, 'plan.json'), head };
    expect(await refusal(assertSheetUnchanged(plan))).toMatchObject({
      code: 'conflict',
      message: 'clients.csv has changed since plan.json was made from it.',
    });
  });
});
