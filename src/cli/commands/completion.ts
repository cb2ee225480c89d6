import type { Command } from 'commander';
import { readPackagedFile } from '../../packaged-files.ts';
import type { ActionRunner, Handler } from '../action-runner.ts';

/** The scripts of the package, which packagers install as they are. */
const scripts = {
  bash: 'salon.bash',
  zsh: '_salon',
  fish: 'salon.fish',
  powershell: 'salon.ps1',
} as const;

export function registerCompletion(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    args: { '<shell>': { choices: Object.keys(scripts) } },
    notes: 'salon must be on your PATH (npm install -g .). Aliases and npx do not complete.',
    examples: {
      'eval "$(salon completion bash)"': 'Bash: add to ~/.bashrc',
      'salon completion zsh > "$fpath[1]/_salon"': 'Zsh: run once',
      'salon completion fish > ~/.config/fish/completions/salon.fish': 'Fish: run once',
      'salon completion powershell | Out-String | Invoke-Expression': 'PowerShell: add to $PROFILE',
    },
    handler: async () => printScript,
  });
}

const printScript: Handler<object, [shell: keyof typeof scripts]> = async (_context, shell) => {
  return { show: 'text', text: (await readPackagedFile(scripts[shell])).toString() };
};
