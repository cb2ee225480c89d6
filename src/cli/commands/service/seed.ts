import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { parseCount } from '../../flags/values.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './administer.ts';

interface Flags extends DatabaseFlags {
  readonly account?: string;
  readonly clients: string;
  readonly appointments: string;
  readonly seed: string;
}

export function registerServiceSeed(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('seed')
    .description('Add sample stylists, clients, appointments and their payments; the same for the same seed')
    .option('--clients <n>', 'how many clients', '2000')
    .option('--appointments <n>', 'how many appointments', '20000')
    .option('--seed <n>', 'which sample', '1')
    .option('--account <id>', 'whose; not needed while there is one account');
  addDatabaseOption(command);
  addExamples(command, [
    [
      'salon service seed --clients 5000 --appointments 100000 --seed 7 --database sqlite:salon.db',
      'a large salon',
    ],
  ]);
  command.action(runner.action(seed));
}

async function seed(context: CommandContext<Flags>): Promise<CommandResult> {
  const { flags, io } = context;
  const least = { least: 0 };
  const amounts = {
    clients: parseCount(flags.clients, '--clients', least),
    appointments: parseCount(flags.appointments, '--appointments', least),
    seed: parseCount(flags.seed, '--seed', least),
  };
  const added = await administer(context, (administration) =>
    administration.seedAccount({
      ...amounts,
      today: io.now(),
      ...(flags.account === undefined ? {} : { accountId: flags.account }),
    }),
  );
  return { show: 'record', record: { ...added } };
}
