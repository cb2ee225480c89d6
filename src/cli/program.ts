import { Command } from 'commander';
import type { ActionRunner } from './action-runner.ts';
import { addGlobalOptions } from './flags/options.ts';
import { type Io, version } from './io.ts';

/** A word right behind `salon`. What hangs below it is loaded when it is named: help for the rest costs nothing. */
interface Entry {
  readonly name: string;
  /** Another spelling that is understood, such as the singular. */
  readonly alias?: string;
  readonly description: string;
  load(): Promise<(command: Command, runner: ActionRunner) => void>;
}

const entries: readonly Entry[] = [
  {
    name: 'appointments',
    alias: 'appointment',
    description: 'Who comes when, to whom, for what',
    load: async () => (await import('./commands/appointments/appointments.ts')).registerAppointments,
  },
  {
    name: 'clients',
    alias: 'client',
    description: 'The people a salon looks after',
    load: async () => (await import('./commands/clients/clients.ts')).registerClients,
  },
  {
    name: 'stylists',
    alias: 'stylist',
    description: 'The people whose time is booked',
    load: async () => (await import('./commands/stylists/stylists.ts')).registerStylists,
  },
  {
    name: 'payments',
    alias: 'payment',
    description: 'What was paid, and what was given back',
    load: async () => (await import('./commands/payments/payments.ts')).registerPayments,
  },
  {
    name: 'webhooks',
    alias: 'webhook',
    description: 'What a salon tells other programs as it happens',
    load: async () => (await import('./commands/webhooks/webhooks.ts')).registerWebhooks,
  },
  {
    name: 'jobs',
    alias: 'job',
    description: 'Long work that was begun: how it stands, and going on with it',
    load: async () => (await import('./commands/jobs/jobs.ts')).registerJobs,
  },
  {
    name: 'auth',
    description: 'Sign in to a salon, and out',
    load: async () => (await import('./commands/auth/auth.ts')).registerAuth,
  },
  {
    name: 'profiles',
    alias: 'profile',
    description: 'Which salons this machine knows',
    load: async () => (await import('./commands/profiles/profiles.ts')).registerProfiles,
  },
  {
    name: 'whoami',
    description: 'Say which profile, account and role is in use',
    load: async () => (await import('./commands/whoami.ts')).registerWhoami,
  },
  {
    name: 'limits',
    description: 'Show what is left of the hour’s requests',
    load: async () => (await import('./commands/limits.ts')).registerLimits,
  },
  {
    name: 'api',
    description: 'Send any request with the profile’s credentials',
    load: async () => (await import('./commands/api.ts')).registerApi,
  },
  {
    name: 'demo',
    description: 'Make a sample salon inside this program, and a profile for it',
    load: async () => (await import('./commands/demo/demo.ts')).registerDemo,
  },
  {
    name: 'service',
    description: 'Host a salon: run the service, its accounts, keys and data',
    load: async () => (await import('./commands/service/service.ts')).registerService,
  },
  {
    name: 'completion',
    description: 'Print a script that completes salon’s commands in a shell',
    load: async () => (await import('./commands/completion.ts')).registerCompletion,
  },
  {
    name: 'help',
    description: 'Show help for a command, or the table of exit codes',
    load: async () => (await import('./commands/help.ts')).registerHelp,
  },
];

export interface ProgramOptions {
  readonly runner: ActionRunner;
  readonly io: Pick<Io, 'stdout' | 'terminal'>;
  /** The words of the command line: only what they name is loaded. Left out: the whole tree. */
  readonly argv?: readonly string[];
}

/** The tree of commands: names, flags and help. Nothing costly is loaded before a verb runs. */
export async function buildProgram({ runner, io, argv }: ProgramOptions): Promise<Command> {
  const program = createRoot(io);
  for (const { name, alias, description, load } of entries) {
    const command = program.command(name).description(description).helpCommand(false);
    if (alias !== undefined) command.alias(alias);
    if (argv === undefined || argv.includes(name) || (alias !== undefined && argv.includes(alias))) {
      const register = await load();
      register(command, runner);
    }
  }
  return program;
}

function createRoot(io: ProgramOptions['io']): Command {
  const program = new Command('salon')
    .description('Administer a salon: its appointments, its clients, and the service itself.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // Errors and the help that goes with them are told once, by the run.
      writeErr() {},
      outputError() {},
      getOutHelpWidth: () => io.terminal.columns,
      getOutHasColors: () => false,
    })
    .exitOverride();
  return addGlobalOptions(program).addHelpText('after', afterHelp);
}

const afterHelp = `
A newcomer starts with:
  $ salon demo
  $ salon appointments list --from today

Exit codes: salon help exit-codes`;
