import { describe, expect, it } from 'vitest';
import { renderCompletion } from '../../../src/cli/completion/render.ts';
import { readProgramTree } from './program-tree.ts';

/** The scripts that packagers install. `npm run completions` writes them anew. */
const files = [
  ['bash', 'salon.bash'],
  ['zsh', '_salon'],
  ['fish', 'salon.fish'],
  ['powershell', 'salon.ps1'],
] as const;

describe('the scripts in completions/', () => {
  it.each(files)('for %s is the one that salon prints now', async (shell, file) => {
    const script = renderCompletion(shell, await readProgramTree());
    await expect(script).toMatchFileSnapshot(`../../../completions/${file}`);
  });
});
