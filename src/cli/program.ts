import { Command } from 'commander';
import type { ActionRunner } from './action-runner.ts';
import { defineCommand, limitTo } from './flags/command-definition.ts';
import { helpPage, renderSeeAlso } from './flags/help-page.ts';
import { addGlobalOptions } from './flags/options.ts';
import { type Io, version } from './io.ts';

/** A command right below `salon`. Its own commands and flags are loaded only when it is named. */
interface Entry {
  readonly description: string;
  /** Another spelling, such as the singular. */
  readonly alias?: string;
  /** Whether it is only in releases that are published somewhere. */
  readonly isForReleases?: boolean;
  load(): Promise<(command: Command, runner: ActionRunner) => void>;
}

/** The commands by their heading in help and their name. */
const groups: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Every day:': {
    today: {
      description: "Show today's calendar and what is due",
      load: async () => (await import('./commands/appointments/calendar.ts')).registerToday,
    },
    calendar: {
      description: 'Show a day or week as a calendar',
      load: async () => (await import('./commands/appointments/calendar.ts')).registerCalendar,
    },
    free: {
      description: 'Show who is free when',
      load: async () => (await import('./commands/book.ts')).registerFree,
    },
    book: {
      description: 'Book an appointment, step by step or in one line',
      load: async () => (await import('./commands/book.ts')).registerBook,
    },
    move: {
      description: 'Move an appointment to another time or stylist',
      load: async () => (await import('./commands/book.ts')).registerMove,
    },
    block: {
      description: 'Block time of a stylist: lunch, holiday, ill',
      load: async () => (await import('./commands/blocks/blocks.ts')).registerBlock,
    },
    close: {
      description: 'Close the salon for a day or some hours',
      load: async () => (await import('./commands/blocks/blocks.ts')).registerClose,
    },
    unblock: {
      description: 'Remove a block or a closed day',
      load: async () => (await import('./commands/blocks/blocks.ts')).registerUnblock,
    },
    'call-list': {
      description: 'List whom to call, with phones',
      load: async () => (await import('./commands/appointments/call-list.ts')).registerCallList,
    },
  },
  'Salon:': {
    appointments: {
      description: 'Book, view and change appointments',
      alias: 'appointment',
      load: async () => (await import('./commands/appointments/appointments.ts')).registerAppointments,
    },
    clients: {
      description: 'List, add and edit clients',
      alias: 'client',
      load: async () => (await import('./commands/clients/clients.ts')).registerClients,
    },
    waitlist: {
      description: 'Keep who waits for a time, and book them when it is free',
      load: async () => (await import('./commands/waitlist/waitlist.ts')).registerWaitlist,
    },
    blocks: {
      description: 'List when stylists are away and the salon is closed',
      load: async () => (await import('./commands/blocks/blocks.ts')).registerBlocks,
    },
    stylists: {
      description: 'List, add and edit stylists',
      alias: 'stylist',
      load: async () => (await import('./commands/stylists/stylists.ts')).registerStylists,
    },
    services: {
      description: 'List, add and edit services and prices',
      load: async () => (await import('./commands/services/services.ts')).registerServices,
    },
    payments: {
      description: 'Record, list and refund payments, see what is due',
      alias: 'payment',
      load: async () => (await import('./commands/payments/payments.ts')).registerPayments,
    },
    report: {
      description: 'Show revenue, no-shows, utilisation and retention',
      alias: 'reports',
      load: async () => (await import('./commands/report/reports.ts')).registerReport,
    },
    sql: {
      description: 'Query a copy of the salon with SQL',
      load: async () => (await import('./commands/copy/copy.ts')).registerSql,
    },
    changes: {
      description: 'Show what changed since yesterday, by record',
      load: async () => (await import('./commands/audit/changes.ts')).registerChanges,
    },
    audit: {
      description: 'Show who changed what',
      load: async () => (await import('./commands/audit/audit.ts')).registerAudit,
    },
  },
  'Automation:': {
    webhooks: {
      description: 'Manage webhook endpoints',
      alias: 'webhook',
      load: async () => (await import('./commands/webhooks/webhooks.ts')).registerWebhooks,
    },
    jobs: {
      description: 'List, resume and undo exports and bulk edits',
      alias: 'job',
      load: async () => (await import('./commands/jobs/jobs.ts')).registerJobs,
    },
    sync: {
      description: 'Keep a copy of the salon in a SQLite file',
      load: async () => (await import('./commands/copy/copy.ts')).registerSync,
    },
    api: {
      description: 'Send any request to the API',
      load: async () => (await import('./commands/api.ts')).registerApi,
    },
  },
  'Setup:': {
    settings: {
      description: "Show and change the salon's settings",
      alias: 'setting',
      load: async () => (await import('./commands/settings/settings.ts')).registerSettings,
    },
    auth: {
      description: 'Sign in and out',
      load: async () => (await import('./commands/auth/auth.ts')).registerAuth,
    },
    keys: {
      description: 'Create, roll and revoke API keys',
      alias: 'key',
      load: async () => (await import('./commands/keys/keys.ts')).registerKeys,
    },
    profiles: {
      description: 'Manage saved salons and their settings',
      alias: 'profile',
      load: async () => (await import('./commands/profiles/profiles.ts')).registerProfiles,
    },
    aliases: {
      description: 'Create commands of your own',
      alias: 'alias',
      load: async () => (await import('./commands/aliases.ts')).registerAliases,
    },
    whoami: {
      description: 'Show the profile, account and role in use',
      load: async () => (await import('./commands/whoami.ts')).registerWhoami,
    },
    limits: {
      description: 'Show the remaining requests this hour',
      load: async () => (await import('./commands/whoami.ts')).registerLimits,
    },
    doctor: {
      description: 'Check everything between here and the service',
      load: async () => (await import('./commands/doctor.ts')).registerDoctor,
    },
    demo: {
      description: 'Create a sample salon on this machine',
      load: async () => (await import('./commands/demo/demo.ts')).registerDemo,
    },
    server: {
      description: 'Run and administer the service',
      load: async () => (await import('./commands/server/server.ts')).registerServer,
    },
    completion: {
      description: 'Print a completion script for a shell',
      load: async () => (await import('./commands/completion.ts')).registerCompletion,
    },
    upgrade: {
      description: 'Show how to upgrade, and check for a newer version',
      isForReleases: true,
      load: async () => (await import('./commands/upgrade.ts')).registerUpgrade,
    },
    help: {
      description: 'Show help for a command or topic',
      load: async () => (await import('./commands/help.ts')).registerHelp,
    },
  },
};

export interface ProgramOptions {
  readonly runner: ActionRunner;
  readonly io: Pick<Io, 'stdout' | 'terminal' | 'releaseUrl'>;
  /** Only the commands named here are loaded; everything where it is left out. */
  readonly argv?: readonly string[] | undefined;
}

/** Builds the command tree: names, flags and help. Actions load their code when they run. */
export async function buildProgram({ runner, io, argv }: ProgramOptions): Promise<Command> {
  const program = createRoot(io);
  if (argv !== undefined) limitTo(argv, program);
  for (const [heading, entries] of Object.entries(groups)) {
    for (const [name, { alias = name, description, isForReleases, load }] of Object.entries(entries)) {
      if (isForReleases && io.releaseUrl === undefined) continue;
      const command = program.command(name).description(description).helpGroup(heading).helpCommand(false);
      if (alias !== name) command.alias(alias);
      if (argv === undefined || argv.includes(name) || argv.includes(alias)) (await load())(command, runner);
    }
  }
  return program;
}

function createRoot(io: ProgramOptions['io']): Command {
  const program = new Command('salon')
    .description('Administer a salon: appointments, clients, payments, and the service itself.')
    .helpOption('-h, --help', 'Show help')
    .helpCommand(false)
    .configureHelp(helpPage)
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // The run prints errors, once.
      writeErr() {},
      outputError() {},
      getOutHelpWidth: () => io.terminal.columns,
      getOutHasColors: () => false,
    })
    .addHelpText('afterAll', ({ command }) => renderSeeAlso(command))
    .exitOverride();
  defineCommand(program, {
    examples: {
      'salon demo': 'Start with a sample salon, or sign in to your own: salon auth login',
    },
  });
  return addGlobalOptions(program)
    .optionsGroup('Other:')
    .version(version, '-V, --version', 'Print the version');
}
