import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';

export function registerAuthStatus(parent: Command, frame: Frame): void {
  const command = parent.command('status').description('Say whether the key in use is accepted');
  addExamples(command, [['salon auth status || salon auth login', 'sign in only when it is needed']]);
  command.action(frame.action(readStatus));
}

async function readStatus(call: Call): Promise<Outcome> {
  const { readAccount } = await import('../../session/account.ts');
  const { profileName } = await call.session();
  const account = await readAccount(await call.client());
  const who = account
    ? `${account.name} (${account.plan}), as ${account.role}`
    : 'a service that does not say who';
  return {
    show: 'record',
    record: {
      profile: profileName ?? null,
      signed_in: true,
      account: account?.name ?? null,
      role: account?.role ?? null,
    },
    said: `Signed in to ${who}.`,
  };
}
