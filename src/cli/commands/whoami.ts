import type { Command } from 'commander';
import type { Call } from '../call.ts';
import type { Frame } from '../frame.ts';
import { addExamples, addPrintOptions, type PrintFlags } from '../flags/options.ts';
import type { Outcome } from '../output/outcome.ts';

interface Flags extends PrintFlags {
  readonly check?: boolean;
}

export function registerWhoami(command: Command, frame: Frame): void {
  command.option('--check', 'ask the service; without it nobody is asked');
  addPrintOptions(command);
  addExamples(command, [['salon whoami --check --json', 'what the service says, for a script']]);
  command.action(frame.action(whoami));
}

async function whoami(call: Call<Flags>): Promise<Outcome> {
  const { profileName, profile, settings } = await call.session();
  const account = call.flags.check ? await readChecked(call) : profile?.account;
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
      checked: call.flags.check === true,
    },
  };
}

async function readChecked(call: Call<Flags>) {
  const { readAccount } = await import('../session/account.ts');
  return readAccount(await call.client());
}
