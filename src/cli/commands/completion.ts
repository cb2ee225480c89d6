import { Argument, type Command } from 'commander';
import type { Call } from '../call.ts';
import { type Shell, shells } from '../completion/shells.ts';
import type { Frame } from '../frame.ts';
import { addExamples } from '../flags/options.ts';
import type { Outcome } from '../output/outcome.ts';

export function registerCompletion(command: Command, frame: Frame): void {
  command.addArgument(new Argument('<shell>').choices(shells));
  addExamples(command, [
    ['eval "$(salon completion bash)"', 'bash, in ~/.bashrc'],
    ['salon completion zsh > "$fpath[1]/_salon"', 'zsh, once'],
    ['salon completion fish > ~/.config/fish/completions/salon.fish', 'fish, once'],
    ['salon completion powershell | Out-String | Invoke-Expression', 'PowerShell, in $PROFILE'],
  ]);
  command.action(frame.action(printCompletion));
}

async function printCompletion(call: Call, shell: Shell): Promise<Outcome> {
  const [{ renderCompletion }, { readCommandTree }] = await Promise.all([
    import('../completion/render.ts'),
    import('../completion/command-tree.ts'),
  ]);
  return { show: 'text', text: renderCompletion(shell, readCommandTree(await call.program())) };
}
