import { describe, expect, it } from 'vitest';
import { renderConsistency, reportConsistency } from '../../../src/cli/output/print-records.ts';
import { type ConsistencyReport, toDisagreementError } from '../../../src/client/pagination/consistency.ts';

const consistent: ConsistencyReport = {
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

function report(change: Partial<ConsistencyReport>) {
  const info: string[] = [];
  const verbose: string[] = [];
  const messages = {
    info: (text: string) => void info.push(text),
    verbose: (text: string) => void verbose.push(text),
    warn() {},
    show() {},
    request() {},
    watchesRequests: false,
    isVerbose: false,
  };
  reportConsistency({ ...consistent, ...change }, 'clients', messages);
  return { info: info.length, verbose: verbose.length };
}

describe('the consistency report', () => {
  it('has rows, distinct rows, totals and the kind', () => {
    expect(renderConsistency(consistent, 'clients')).toBe(
      'Read 1,020 clients, 1,000 distinct; server total 1,001 at the start, 1,000 at the end: consistent',
    );
    const withoutTotal = {
      ...consistent,
      firstTotal: undefined,
      lastTotal: undefined,
      kind: 'not proven',
    } as const;
    expect(renderConsistency(withoutTotal, 'clients')).toBe(
      'Read 1,020 clients, 1,000 distinct; no total from the server: not proven',
    );
  });

  const unchanged = { rows: 1_000, firstTotal: 1_000 };

  it.each<[string, Partial<ConsistencyReport>, 'info' | 'verbose' | 'nothing']>([
    ['an exact list', { kind: 'exact' }, 'verbose'],
    ['a list without a visible change', unchanged, 'verbose'],
    ['a changed total', {}, 'info'],
    ['a changed version', { ...unchanged, versions: { first: 1, last: 2 } }, 'info'],
    ['an unproven list', { ...unchanged, kind: 'not proven' }, 'info'],
    ['a disagreement', { kind: 'disagreement' }, 'info'],
    ['a single page', { pages: 1 }, 'nothing'],
  ])('of %s is printed as %3$s', (_title, change, how) => {
    expect(report(change)).toEqual({ info: Number(how === 'info'), verbose: Number(how === 'verbose') });
  });
});

describe('a disagreement', () => {
  it.each([
    [{ lastTotal: 1_002 }, 'The server reports 1,002 clients, but sent only 1,000.'],
    [{ lastTotal: 1_000 }, 'The clients were different each time they were read.'],
    [{ lastTotal: undefined }, 'The clients were different each time they were read.'],
  ])('names the difference: %j', (change, message) => {
    expect(toDisagreementError({ ...consistent, ...change }, 'clients').message).toBe(message);
  });

  it.each([
    ['a total that stayed the same', { firstTotal: 1_002 }, true],
    ['a total that changed', { firstTotal: 1_001 }, false],
    ['our own service', { firstTotal: 1_002, versions: { first: 1, last: 1 } }, false],
  ])('names the setting for %s: %j', (_what, change, isNamed) => {
    const error = toDisagreementError({ ...consistent, lastTotal: 1_002, ...change }, 'clients');
    expect(error.hint?.includes('salon profiles set <profile> total_key none')).toBe(isNamed);
  });
});
