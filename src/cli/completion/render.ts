import { renderBash } from './bash.ts';
import type { CommandNode } from './command-tree.ts';
import { renderFish } from './fish.ts';
import { renderPowerShell } from './powershell.ts';
import type { Shell } from './shells.ts';
import { renderZsh } from './zsh.ts';

const renderers: Readonly<Record<Shell, (tree: CommandNode) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
  powershell: renderPowerShell,
};

/** The script that completes the program's commands in a shell. The same tree gives the same script. */
export function renderCompletion(shell: Shell, tree: CommandNode): string {
  return renderers[shell](tree);
}
