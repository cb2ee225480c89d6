import { Argument, type Command } from 'commander';
import { readPackagedFile } from '../../packaged-files.ts';
import type { ActionRunner } from '../action-runner.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

/** The scripts of the package, which packagers install as they are. */
const scripts = {
  bash: 'salon.bash',
  zsh: '_salon',
  fish: 'salon.fish',
  powershell: 'salon.ps1',
} as const;

export function registerCompletion(command: Command, runner: ActionRunner): void {
  command.addArgument(new Argument('<shell>').choices(Object.keys(scripts)));
  command.addHelpText(
    'after',
    '\nsalon must be on your PATH (npm install -g .). Aliases and npx do not complete.',
  );
  runner.add(command, printScript, [
    ['eval "$(salon completion bash)"', 'Bash: add to ~/.bashrc'],
    ['salon completion zsh > "$fpath[1]/_salon"', 'Zsh: run once'],
    ['salon completion fish > ~/.config/fish/completions/salon.fish', 'Fish: run once'],
    ['salon completion powershell | Out-String | Invoke-Expression', 'PowerShell: add to $PROFILE'],
  ]);
}

async function printScript(_context: CommandContext, shell: keyof typeof scripts): Promise<CommandResult> {
  return { show: 'text', text: (await readPackagedFile(scripts[shell])).toString() };
}
