import { describe, expect, it } from 'vitest';
import {
  toDisagreementError,
  renderConsistency,
  reportConsistency,
} from '../../../src/cli/output/consistency-text.ts';
import type { ConsistencyReport } from '../../../src/client/pagination/consistency.ts';

const verdict: ConsistencyReport = {
  kind: 'consistent',
  rows: 1_020,
  distinct: 1_000,
  firstTotal: 1_001,
  lastTotal: 1_000,
  pages: 6,
  requests: 6,
  passes: 1,
  versions: undefined,
};

function told(change: Partial<ConsistencyReport>) {
  const said: string[] = [];
  const explained: string[] = [];
  const messages = {
    info: (text: string) => void said.push(text),
    verbose: (text: string) => void explained.push(text),
    warn() {},
    debug() {},
  };
  reportConsistency({ ...verdict, ...change }, 'clients', messages);
  return { said: said.length, explained: explained.length };
}

describe('the reconciliation of a list', () => {
  it('has rows, distinct ones, totals and how sure it is', () => {
    expect(renderConsistency(verdict, 'clients')).toBe(
      '1,020 clients read, 1,000 distinct; the server counted 1,001 at first and 1,000 at last: consistent',
    );
    const uncounted = {
      ...verdict,
      firstTotal: undefined,
      lastTotal: undefined,
      kind: 'not proven',
    } as const;
    expect(renderConsistency(uncounted, 'clients')).toBe(
      '1,020 clients read, 1,000 distinct; the server counts none: not proven',
    );
  });

  const stoodStill = { rows: 1_000, firstTotal: 1_000 };

  it.each<[string, Partial<ConsistencyReport>, 'said' | 'explained' | 'nothing']>([
    ['an exact one', { kind: 'exact' }, 'explained'],
    ['one that looked as if it stood still', stoodStill, 'explained'],
    ['one whose total changed', {}, 'said'],
    ['one whose version changed', { ...stoodStill, versions: { first: 1, last: 2 } }, 'said'],
    ['one that is not proven', { ...stoodStill, kind: 'not proven' }, 'said'],
    ['one that disagrees', { kind: 'disagreement' }, 'said'],
    ['one of a single page', { pages: 1 }, 'nothing'],
  ])('of %s is %3$s', (_title, change, how) => {
    expect(told(change)).toEqual({ said: Number(how === 'said'), explained: Number(how === 'explained') });
  });
});

describe('a disagreement', () => {
  it.each([
    [{ lastTotal: 1_002 }, 'The server counts 1,002 clients, but only 1,000 came.'],
    [{ lastTotal: 1_000 }, 'No two readings of the clients agreed.'],
    [{ lastTotal: undefined }, 'No two readings of the clients agreed.'],
  ])('says what does not fit: %j', (change, message) => {
    expect(toDisagreementError({ ...verdict, ...change }, 'clients').message).toBe(message);
  });
});
