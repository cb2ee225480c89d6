import type { Command } from 'commander';
import type { ActionRunner } from '../action-runner.ts';
import { addExamples } from '../flags/help-page.ts';
import { addPrintOptions, type PrintFlags } from '../flags/options.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';
import { findSavedAccount } from '../session/session.ts';

interface Flags extends PrintFlags {
  readonly check?: boolean;
}

export function registerWhoami(command: Command, runner: ActionRunner): void {
  command.option('--check', 'Ask the service, not the saved profile');
  addPrintOptions(command);
  addExamples(command, [
    ['salon whoami', 'Show the saved profile'],
    ['salon whoami --check --json', 'Ask the service, in a script'],
  ]);
  command.action(runner.action(whoami));
}

async function whoami(context: CommandContext<Flags>): Promise<CommandResult> {
  const session = await context.session();
  const { profileName, settings } = session;
  const { variable } = settings.credential ?? {};
  if (variable !== undefined && !context.flags.check) {
    context.messages.info(`The key comes from ${variable}. To ask for its account: salon whoami --check`);
  }
  const ask = async () => (await import('../session/account.ts')).readAccount(await context.client());
  const account = context.flags.check ? await ask() : findSavedAccount(session);
  return {
    show: 'record',
    record: {
      profile: profileName ?? null,
      base_url: settings.baseUrl?.value ?? null,
      account: account?.name ?? null,
      account_id: account?.id ?? null,
      plan: account?.plan ?? null,
      role: account?.role ?? null,
      signed_in: settings.credential !== undefined,
      protected: settings.protected.value,
      read_only: settings.readOnly.value,
      checked: context.flags.check === true,
    },
  };
}
