import { describe, expect, it } from 'vitest';
import { readImports } from './imports.ts';

function read(text: string, path = 'src/cli/run.ts') {
  return readImports({ path, text }).map((taken) => [taken.kind, taken.file ?? taken.package]);
}

describe('reading the imports of a file', () => {
  it.each([
    ['names', `import { a, type B } from './b.ts';`, ['static', 'src/cli/b.ts']],
    ['names over several lines', `import {\n  a,\n  b,\n} from '../c.ts';`, ['static', 'src/c.ts']],
    ['a file for its effects', `import './b.ts';`, ['static', 'src/cli/b.ts']],
    ['data', `import d from '../../package.json' with { type: 'json' };`, ['static', 'package.json']],
    ['types', `import type { A } from './a.ts';`, ['type', 'src/cli/a.ts']],
    ['names passed on', `export { a } from './a.ts';`, ['static', 'src/cli/a.ts']],
    ['types passed on', `export type { A } from './a.ts';`, ['type', 'src/cli/a.ts']],
    ['everything passed on', `export * from './a.ts';`, ['static', 'src/cli/a.ts']],
    ['a later load', `const { a } = await import('./a.ts');`, ['lazy', 'src/cli/a.ts']],
    ['a later load on a line of its own', `  import(\n    './a.ts'\n  ),`, ['lazy', 'src/cli/a.ts']],
    ['a package by a deep path', `import p from 'undici/lib/pool.js';`, ['static', 'undici']],
    ['a package with a scope', `import p from '@a/b/c';`, ['static', '@a/b']],
    ['a built-in module', `import { x } from 'node:fs/promises';`, ['static', 'node:fs/promises']],
  ])('sees %s', (_title, text, found) => {
    expect(read(text)).toEqual([found]);
  });

  it.each([
    ['a comment', `// import './a.ts';`],
    ['quoted text', `const text = "import './a.ts'";`],
    ['an exported text', `export const from = './a.ts';`],
    ['a word of its own', `important('./a.ts');`],
  ])('is not deceived by %s', (_title, text) => {
    expect(read(text)).toEqual([]);
  });

  it('treats every import of a declaration file as a type', () => {
    expect(read(`import { A } from 'undici';`, 'src/client/a.d.ts')).toEqual([['type', 'undici']]);
  });

  it('gives a computed import no name', () => {
    const [taken] = readImports({ path: 'src/a.ts', text: 'await import(name);' });
    expect(taken).toMatchObject({ kind: 'lazy', specifier: '' });
  });
});
