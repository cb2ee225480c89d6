import { Argument, type Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import { type Shell, shells } from '../completion/shells.ts';
import { addExamples } from '../flags/options.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

export function registerCompletion(command: Command, runner: ActionRunner): void {
  command.addArgument(new Argument('<shell>').choices(shells));
  addExamples(command, [
    ['eval "$(salon completion bash)"', 'bash, in ~/.bashrc'],
    ['salon completion zsh > "$fpath[1]/_salon"', 'zsh, once'],
    ['salon completion fish > ~/.config/fish/completions/salon.fish', 'fish, once'],
    ['salon completion powershell | Out-String | Invoke-Expression', 'PowerShell, in $PROFILE'],
  ]);
  command.action(runner.action(printCompletion));
}

async function printCompletion(context: CommandContext, shell: Shell): Promise<CommandResult> {
  const [{ renderCompletion }, { readCommandTree }] = await Promise.all([
    import('../completion/render.ts'),
    import('../completion/command-tree.ts'),
  ]);
  return { show: 'text', text: renderCompletion(shell, readCommandTree(await context.program())) };
}
