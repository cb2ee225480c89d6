import { Command } from 'commander';
import type { ActionRunner } from './action-runner.ts';
import { addExamples, helpPage, renderSeeAlso } from './flags/help-page.ts';
import { addGlobalOptions } from './flags/options.ts';
import { type Io, version } from './io.ts';

/** A command right below `salon`. Its own commands and flags are loaded only when it is named. */
interface Entry {
  readonly name: string;
  /** Another spelling, such as the singular. */
  readonly alias?: string;
  readonly group: string;
  readonly description: string;
  /** Whether it is only in releases that are published somewhere. */
  readonly isForReleases?: boolean;
  load(): Promise<(command: Command, runner: ActionRunner) => void>;
}

const entries: readonly Entry[] = [
  {
    name: 'today',
    group: 'Every day:',
    description: "Show today's calendar and what is due",
    load: async () => (await import('./commands/appointments/calendar.ts')).registerToday,
  },
  {
    name: 'calendar',
    group: 'Every day:',
    description: 'Show a day or week as a calendar',
    load: async () => (await import('./commands/appointments/calendar.ts')).registerCalendar,
  },
  {
    name: 'free',
    group: 'Every day:',
    description: 'Show who is free when',
    load: async () => (await import('./commands/book.ts')).registerFree,
  },
  {
    name: 'book',
    group: 'Every day:',
    description: 'Book an appointment, step by step or in one line',
    load: async () => (await import('./commands/book.ts')).registerBook,
  },
  {
    name: 'move',
    group: 'Every day:',
    description: 'Move an appointment to another time or stylist',
    load: async () => (await import('./commands/book.ts')).registerMove,
  },
  {
    name: 'block',
    group: 'Every day:',
    description: 'Block time of a stylist: lunch, holiday, ill',
    load: async () => (await import('./commands/blocks/blocks.ts')).registerBlock,
  },
  {
    name: 'close',
    group: 'Every day:',
    description: 'Close the salon for a day or some hours',
    load: async () => (await import('./commands/blocks/blocks.ts')).registerClose,
  },
  {
    name: 'unblock',
    group: 'Every day:',
    description: 'Take back a block or a closed day',
    load: async () => (await import('./commands/blocks/blocks.ts')).registerUnblock,
  },
  {
    name: 'call-list',
    group: 'Every day:',
    description: 'List whom to call, with phones',
    load: async () => (await import('./commands/appointments/call-list.ts')).registerCallList,
  },
  {
    name: 'appointments',
    alias: 'appointment',
    group: 'Salon:',
    description: 'Book, view and change appointments',
    load: async () => (await import('./commands/appointments/appointments.ts')).registerAppointments,
  },
  {
    name: 'clients',
    alias: 'client',
    group: 'Salon:',
    description: 'List, add and edit clients',
    load: async () => (await import('./commands/clients/clients.ts')).registerClients,
  },
  {
    name: 'blocks',
    group: 'Salon:',
    description: 'List when stylists are away and the salon is closed',
    load: async () => (await import('./commands/blocks/blocks.ts')).registerBlocks,
  },
  {
    name: 'stylists',
    alias: 'stylist',
    group: 'Salon:',
    description: 'List, add and edit stylists',
    load: async () => (await import('./commands/stylists/stylists.ts')).registerStylists,
  },
  {
    name: 'services',
    group: 'Salon:',
    description: 'List, add and edit services and prices',
    load: async () => (await import('./commands/services/services.ts')).registerServices,
  },
  {
    name: 'payments',
    alias: 'payment',
    group: 'Salon:',
    description: 'Record, list and refund payments, see what is due',
    load: async () => (await import('./commands/payments/payments.ts')).registerPayments,
  },
  {
    name: 'report',
    alias: 'reports',
    group: 'Salon:',
    description: 'Show revenue, no-shows, utilisation and retention',
    load: async () => (await import('./commands/report/reports.ts')).registerReport,
  },
  {
    name: 'audit',
    group: 'Salon:',
    description: 'Show who changed what',
    load: async () => (await import('./commands/audit/audit.ts')).registerAudit,
  },
  {
    name: 'webhooks',
    alias: 'webhook',
    group: 'Automation:',
    description: 'Manage webhook endpoints',
    load: async () => (await import('./commands/webhooks/webhooks.ts')).registerWebhooks,
  },
  {
    name: 'jobs',
    alias: 'job',
    group: 'Automation:',
    description: 'List, resume and undo exports and bulk edits',
    load: async () => (await import('./commands/jobs/jobs.ts')).registerJobs,
  },
  {
    name: 'api',
    group: 'Automation:',
    description: 'Send any request to the API',
    load: async () => (await import('./commands/api.ts')).registerApi,
  },
  {
    name: 'settings',
    alias: 'setting',
    group: 'Setup:',
    description: "Show and change the salon's settings",
    load: async () => (await import('./commands/settings/settings.ts')).registerSettings,
  },
  {
    name: 'auth',
    group: 'Setup:',
    description: 'Sign in and out',
    load: async () => (await import('./commands/auth/auth.ts')).registerAuth,
  },
  {
    name: 'keys',
    alias: 'key',
    group: 'Setup:',
    description: 'Create, roll and revoke API keys',
    load: async () => (await import('./commands/keys/keys.ts')).registerKeys,
  },
  {
    name: 'profiles',
    alias: 'profile',
    group: 'Setup:',
    description: 'Manage saved salons and their settings',
    load: async () => (await import('./commands/profiles/profiles.ts')).registerProfiles,
  },
  {
    name: 'alias',
    alias: 'aliases',
    group: 'Setup:',
    description: 'Create commands of your own',
    load: async () => (await import('./commands/alias.ts')).registerAlias,
  },
  {
    name: 'whoami',
    group: 'Setup:',
    description: 'Show the profile, account and role in use',
    load: async () => (await import('./commands/whoami.ts')).registerWhoami,
  },
  {
    name: 'limits',
    group: 'Setup:',
    description: 'Show the remaining requests this hour',
    load: async () => (await import('./commands/whoami.ts')).registerLimits,
  },
  {
    name: 'doctor',
    group: 'Setup:',
    description: 'Check everything between here and the service',
    load: async () => (await import('./commands/doctor.ts')).registerDoctor,
  },
  {
    name: 'demo',
    group: 'Setup:',
    description: 'Create a sample salon on this machine',
    load: async () => (await import('./commands/demo/demo.ts')).registerDemo,
  },
  {
    name: 'server',
    group: 'Setup:',
    description: 'Run and administer the service',
    load: async () => (await import('./commands/server/server.ts')).registerServer,
  },
  {
    name: 'completion',
    group: 'Setup:',
    description: 'Print a completion script for a shell',
    load: async () => (await import('./commands/completion.ts')).registerCompletion,
  },
  {
    name: 'upgrade',
    group: 'Setup:',
    description: 'Show how to upgrade, and check for a newer version',
    isForReleases: true,
    load: async () => (await import('./commands/upgrade.ts')).registerUpgrade,
  },
  {
    name: 'help',
    group: 'Setup:',
    description: 'Show help for a command or topic',
    load: async () => (await import('./commands/help.ts')).registerHelp,
  },
];

export interface ProgramOptions {
  readonly runner: ActionRunner;
  readonly io: Pick<Io, 'stdout' | 'terminal' | 'releaseUrl'>;
  /** Only the commands named here are loaded; everything where it is left out. */
  readonly argv?: readonly string[];
}

/** Builds the command tree: names, flags and help. Actions load their code when they run. */
export async function buildProgram({ runner, io, argv }: ProgramOptions): Promise<Command> {
  const program = createRoot(io);
  for (const { name, alias, group, description, isForReleases, load } of entries) {
    if (isForReleases && io.releaseUrl === undefined) continue;
    const command = program.command(name).description(description).helpGroup(group).helpCommand(false);
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
  addExamples(program, [
    ['salon demo', 'Start with a sample salon'],
    ['salon auth login --base-url https://salon.example', 'Or sign in to your own'],
  ]);
  return addGlobalOptions(program)
    .optionsGroup('Other:')
    .version(version, '-V, --version', 'Print the version');
}
