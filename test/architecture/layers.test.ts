import { describe, expect, it } from 'vitest';
import { findForbiddenImports, findUpwardImports, layers } from './layers.ts';

function find(path: string, text: string) {
  return findForbiddenImports([{ path, text }]);
}

describe('the table of layers', () => {
  it.each([
    [
      'src/client/a.ts',
      `import type { Service } from '../service/service.ts';`,
      'client may not import service',
    ],
    ['src/service/http/a.ts', `import { a } from '../db/a.ts';`, 'http may not import db'],
    ['src/service/domain/a.ts', `import { a } from '../http/a.ts';`, 'domain may not import http'],
    ['src/contract/a.ts', `import { a } from '../client/a.ts';`, 'contract may not import client'],
    ['src/cli/a.ts', `import { a } from '../service/domain/a.ts';`, 'cli may not import domain'],
    ['src/cli/a.ts', `await import('../service/domain/a.ts');`, 'cli may not import domain'],
    [
      'src/cli/a.ts',
      `import { a } from '../service/administration.ts';`,
      'cli may load administration only by import()',
    ],
    ['src/client/a.ts', `import { a } from '../index.ts';`, 'client may not import index'],
    ['src/client/a.ts', `import { a } from '../a.ts';`, 'src/a.ts, which belongs to no layer'],
    ['src/client/a.ts', `import Fastify from 'fastify';`, 'fastify, which client does not use'],
    ['src/cli/a.ts', `const { a } = await import('undici');`, 'undici, which cli does not use'],
    ['src/contract/a.ts', `import { A } from 'typebox';`, 'contract may import only types'],
    ['src/contract/a.ts', `import { readFile } from 'node:fs';`, 'contract does no I/O'],
    ['src/webhooks/a.ts', `import { readFile } from 'node:fs';`, 'webhooks does no I/O'],
    ['src/cli/a.ts', 'await import(name);', 'not a plain string'],
    ['src/a.ts', '', 'belongs to no layer'],
  ])('rejects in %s: %s', (path, text, objection) => {
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
  ])('allows in %s: %s', (path, text) => {
    expect(find(path, text)).toEqual([]);
  });

  it('has no cycles', () => {
    const reached = (name: string, seen: readonly string[] = []): void => {
      expect(seen, [...seen, name].join(' → ')).not.toContain(name);
      const { layers: direct, lazyLayers = [] } = layers[name] ?? { layers: [] };
      for (const next of [...direct, ...lazyLayers]) reached(next, [...seen, name]);
    };
    for (const name of Object.keys(layers)) reached(name);
  });
});

describe('folders of the command line', () => {
  const importing = (path: string, target: string) => [{ path, text: `import type { X } from '${target}';` }];

  it('import folders below', () => {
    expect(findUpwardImports(importing('src/cli/edit/a.ts', '../output/b.ts'))).toEqual([]);
  });

  it.each([
    ['src/cli/output/a.ts', '../edit/b.ts'],
    ['src/cli/edit/a.ts', '../export/b.ts'],
    ['src/cli/messages/a.ts', '../session/b.ts'],
    ['src/cli/unlisted/a.ts', '../messages/b.ts'],
  ])('do not import folders above or beside: %s → %s', (path, target) => {
    expect(findUpwardImports(importing(path, target))).toHaveLength(1);
  });
});
