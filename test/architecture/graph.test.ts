import { describe, expect, it } from 'vitest';
import { findFolderRings, findHeavyStarts } from './graph.ts';

describe('rings', () => {
  it('are reported as a path, each once', () => {
    const files = [
      { path: 'src/a.ts', text: `import { b } from './b.ts';` },
      { path: 'src/b.ts', text: `import type { C } from './c.ts';` },
      { path: 'src/c.ts', text: `const { a } = await import('./a.ts');` },
      { path: 'src/d.ts', text: `import { a } from './a.ts';` },
    ];
    expect(findFolderRings(files)).toEqual(['src: a.ts → b.ts → c.ts → a.ts']);
  });

  it('are not two paths to one file', () => {
    const files = [
      { path: 'src/a.ts', text: `import './b.ts';\nimport './c.ts';` },
      { path: 'src/b.ts', text: `import './d.ts';` },
      { path: 'src/c.ts', text: `import './d.ts';` },
      { path: 'src/d.ts', text: '' },
    ];
    expect(findFolderRings(files)).toEqual([]);
  });
});

describe('rings between folders', () => {
  const inFolder = (imports: Readonly<Record<string, string>>) =>
    Object.entries(imports).map(([path, target]) => ({
      path,
      text: target && `import type { X } from '${target}';`,
    }));

  it('are found where no files form a ring', () => {
    const files = inFolder({
      'src/cli/output/table.ts': '../session/profile.ts',
      'src/cli/session/profile.ts': '',
      'src/cli/session/prompt.ts': '../output/width.ts',
      'src/cli/output/width.ts': '',
    });
    expect(findFolderRings(files)).toEqual(['src/cli: output → session → output']);
  });

  it('are found between a folder and a file beside it', () => {
    const files = inFolder({ 'src/a/one.ts': '../b.ts', 'src/b.ts': './a/two.ts', 'src/a/two.ts': '' });
    expect(findFolderRings(files)).toEqual(['src: a → b.ts → a']);
  });

  it('are not arrows that all point down', () => {
    const files = inFolder({ 'src/a/one.ts': '../b/two.ts', 'src/b/two.ts': '../c.ts', 'src/c.ts': '' });
    expect(findFolderRings(files)).toEqual([]);
  });
});

describe('a costly start', () => {
  const start = { entries: ['src/run.ts'], heavy: ['ora'] };

  it('is reported with the shortest path to the package', () => {
    const files = [
      { path: 'src/run.ts', text: `import './long.ts';\nimport './short.ts';` },
      { path: 'src/long.ts', text: `import './longer.ts';` },
      { path: 'src/longer.ts', text: `import './spinner.ts';` },
      { path: 'src/short.ts', text: `import './spinner.ts';` },
      { path: 'src/spinner.ts', text: `import ora from 'ora';` },
    ];
    expect(findHeavyStarts(files, start)).toEqual(['src/run.ts → src/short.ts → src/spinner.ts → ora']);
  });

  it('excludes types, imports on demand and files no entry reaches', () => {
    const files = [
      { path: 'src/run.ts', text: `import type { Ora } from 'ora';\nawait import('./spinner.ts');` },
      { path: 'src/spinner.ts', text: `import ora from 'ora';` },
    ];
    expect(findHeavyStarts(files, start)).toEqual([]);
  });

  it('includes costly folders, and nothing behind them', () => {
    const files = [
      { path: 'src/run.ts', text: `import { report } from './report/report.ts';` },
      { path: 'src/report/report.ts', text: `import ora from 'ora';` },
    ];
    const heavy = [...start.heavy, 'src/report/'];
    expect(findHeavyStarts(files, { ...start, heavy })).toEqual(['src/run.ts → src/report/report.ts']);
  });

  it('reports an entry that was renamed', () => {
    expect(findHeavyStarts([], start)).toEqual(['src/run.ts does not exist']);
  });
});
