import { describe, expect, it } from 'vitest';
import { completeInBash } from './complete-in-bash.ts';
import { completeInFish } from './complete-in-fish.ts';
import { completeInZsh } from './complete-in-zsh.ts';
import { lines } from './lines.ts';
import { openShellLab } from './shell-lab.ts';

const shells = [
  ['bash', completeInBash],
  ['zsh', completeInZsh],
  ['fish', completeInFish],
] as const;

describe.each(shells)('completion in %s', (shell, complete) => {
  it('offers for each line what its last word can become', async () => {
    using lab = openShellLab(shell);
    const table = lines.filter(({ except }) => !except?.includes(shell));
    const output = await complete(
      lab,
      table.map(({ line }) => line),
    );
    const expected = new Map(table.map(({ line, becomes }) => [line, [...becomes].sort()]));
    expect(parseOutput(output)).toEqual(expected);
  });

  it('is quiet when the program fails', async () => {
    using lab = openShellLab(shell);
    lab.write('broken', '');
    const output = await complete(lab, ['salon profiles use ']);
    expect(parseOutput(output)).toEqual(new Map([['salon profiles use ', []]]));
  });
});

/** Candidates by line, without the marks at their end and the backslashes that a shell adds. */
function parseOutput(output: string): ReadonlyMap<string, readonly string[]> {
  const blocks = output.split(/^> /m).slice(1);
  return new Map(
    blocks.map((block) => {
      const [line = '', ...rows] = block.split('\n');
      const candidates = rows
        .map((row) => row.replace(/[,/]$/, '').replaceAll(/\\([* ])/g, '$1'))
        .filter((row) => row !== '');
      return [line, [...new Set(candidates)].sort()];
    }),
  );
}
