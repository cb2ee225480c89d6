import { describe, expect, it } from 'vitest';
import { findHeavyStarts, findRings } from './graph.ts';

describe('rings', () => {
  it('are told as a path, each once', () => {
    const files = [
      { path: 'src/a.ts', text: `import { b } from './b.ts';` },
      { path: 'src/b.ts', text: `import type { C } from './c.ts';` },
      { path: 'src/c.ts', text: `const { a } = await import('./a.ts');` },
      { path: 'src/d.ts', text: `import { a } from './a.ts';\nimport { d } from './d.ts';` },
    ];
    expect(findRings(files)).toEqual(['src/a.ts → src/b.ts → src/c.ts → src/a.ts', 'src/d.ts → src/d.ts']);
  });

  it('are not two ways to one file', () => {
    const files = [
      { path: 'src/a.ts', text: `import './b.ts';\nimport './c.ts';` },
      { path: 'src/b.ts', text: `import './d.ts';` },
      { path: 'src/c.ts', text: `import './d.ts';` },
      { path: 'src/d.ts', text: '' },
    ];
    expect(findRings(files)).toEqual([]);
  });
});

describe('a costly start', () => {
  const start = { entries: ['src/run.ts'], heavy: ['ora'] };

  it('is told with the shortest way to the package', () => {
    const files = [
      { path: 'src/run.ts', text: `import './long.ts';\nimport './short.ts';` },
      { path: 'src/long.ts', text: `import './longer.ts';` },
      { path: 'src/longer.ts', text: `import './spinner.ts';` },
      { path: 'src/short.ts', text: `import './spinner.ts';` },
      { path: 'src/spinner.ts', text: `import ora from 'ora';` },
    ];
    expect(findHeavyStarts(files, start)).toEqual(['src/run.ts → src/short.ts → src/spinner.ts → ora']);
  });

  it('is not what is loaded later, nor a type, nor what no start reaches', () => {
    const files = [
      { path: 'src/run.ts', text: `import type { Ora } from 'ora';\nawait import('./spinner.ts');` },
      { path: 'src/spinner.ts', text: `import ora from 'ora';` },
    ];
    expect(findHeavyStarts(files, start)).toEqual([]);
  });

  it('is not overlooked because an entry was renamed', () => {
    expect(findHeavyStarts([], start)).toEqual(['src/run.ts does not exist']);
  });
});
