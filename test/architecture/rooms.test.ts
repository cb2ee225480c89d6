import { describe, expect, it } from 'vitest';
import { findForeignImports, rooms } from './rooms.ts';

function find(path: string, text: string) {
  return findForeignImports([{ path, text }]);
}

describe('the table of rooms', () => {
  it.each([
    [
      'src/client/a.ts',
      `import type { Service } from '../service/service.ts';`,
      'client may not reach service',
    ],
    ['src/service/http/a.ts', `import { a } from '../store/a.ts';`, 'http may not reach store'],
    ['src/service/domain/a.ts', `import { a } from '../http/a.ts';`, 'domain may not reach http'],
    ['src/contract/a.ts', `import { a } from '../client/a.ts';`, 'contract may not reach client'],
    ['src/cli/a.ts', `import { a } from '../service/domain/a.ts';`, 'cli may not reach domain'],
    ['src/cli/a.ts', `await import('../service/domain/a.ts');`, 'cli may not reach domain'],
    ['src/cli/a.ts', `import { a } from '../service/config.ts';`, 'cli reaches config by import() alone'],
    ['src/client/a.ts', `import { a } from '../index.ts';`, 'client may not reach index'],
    ['src/client/a.ts', `import { a } from '../a.ts';`, 'src/a.ts, which stands in no room'],
    ['src/client/a.ts', `import Fastify from 'fastify';`, 'fastify, which client does not use'],
    ['src/cli/a.ts', `const { a } = await import('undici');`, 'undici, which cli does not use'],
    ['src/contract/a.ts', `import { A } from 'typebox';`, 'contract takes types alone'],
    ['src/contract/a.ts', `import { readFile } from 'node:fs';`, 'contract does no input or output'],
    ['src/webhooks/a.ts', `import { readFile } from 'node:fs';`, 'webhooks does no input or output'],
    ['src/cli/a.ts', 'await import(name);', 'not a plain string'],
    ['src/a.ts', '', 'stands in no room'],
  ])('keeps %s from: %s', (path, text, objection) => {
    expect(find(path, text)).toEqual([expect.stringContaining(objection)]);
  });

  it.each([
    ['src/client/a.ts', `import { b } from './b.ts';`],
    ['src/client/a.ts', `import d from '../../package.json' with { type: 'json' };`],
    ['src/client/a.ts', `import { SalonError } from '../contract/errors.ts';`],
    ['src/contract/a.ts', `import type { XStatic } from 'typebox/schema';`],
    ['src/webhooks/a.ts', `import { createHmac } from 'node:crypto';`],
    ['src/cli/a.ts', `import type { Service } from '../service/service.ts';`],
    ['src/cli/a.ts', `await import('../service/administration.ts');`],
  ])('lets %s have: %s', (path, text) => {
    expect(find(path, text)).toEqual([]);
  });

  it('has arrows that go one way only', () => {
    const reached = (name: string, seen: readonly string[] = []): void => {
      expect(seen, [...seen, name].join(' → ')).not.toContain(name);
      const { rooms: direct, lazyRooms = [] } = rooms[name] ?? { rooms: [] };
      for (const next of [...direct, ...lazyRooms]) reached(next, [...seen, name]);
    };
    for (const name of Object.keys(rooms)) reached(name);
  });
});
