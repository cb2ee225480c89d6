import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { djangoCursor, djangoLimitOffset, djangoPageNumber } from '../support/servers/django.ts';
import { feathers } from '../support/servers/feathers.ts';
import { jsonServer } from '../support/servers/json-server.ts';
import { loopback } from '../support/servers/loopback.ts';
import { type FactsOf, findOtherFacts } from './facts.ts';
import type { OperatedKind } from './machine.ts';
import { operations, runOperations } from './operations.ts';

/** Stubs of what the long tests run itself, with the dialects that are declared for it. */
const stubs: readonly (readonly [kind: OperatedKind, dialect: string, facts: FactsOf])[] = [
  [feathers, 'feathers', 'feathers'],
  [jsonServer, 'json-server-1', 'jsonServer'],
  [loopback, 'loopback', 'loopback'],
  [djangoPageNumber, 'django-page', 'djangoPage'],
  [djangoLimitOffset, 'django-limit', 'djangoLimit'],
  [djangoCursor, 'django-cursor', 'djangoCursor'],
];
const named = stubs.map(([kind, ...rest]) => [kind.name, kind, ...rest] as const);

describe('a stub behaves as the software was seen to', () => {
  it.each(named)('%s', async (_name, kind, _dialect, facts) => {
    await using server = await kind.open({ count: 60 });
    expect(await findOtherFacts(server.baseUrl, facts)).toEqual([]);
  });
});

describe('with the dialect that is declared for it, everything works', () => {
  it.each(named)('%s', async (_name, kind, dialect) => {
    const via = { login: ['--dialect', join(import.meta.dirname, 'dialects', `${dialect}.json`)] };
    const open: OperatedKind['open'] = async (options = {}) => {
      const { maxPageSize: size } = options;
      return { ...(await kind.open(options)), login: size ? ['--set', `per_page=${size}`] : [] };
    };
    const results = await runOperations({ kind: { ...kind, open }, via });
    const works = Object.keys(operations).map((name) => [name, { result: 'works' }]);
    expect(results).toEqual(Object.fromEntries(works));
  });
});
