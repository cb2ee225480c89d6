import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { renderCount } from '../../../text/numbers.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import type { Io } from '../../io.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { prepareEmbeddedDatabase, toEmbeddedUrl } from '../../session/embedded.ts';
import type { Profile } from '../../session/profile.ts';

const name = 'demo';
const baseUrl = toEmbeddedUrl(name);
const accountName = 'Salon Aurora (sample)';

/** A salon with a dozen chairs after 18 months. */
const size = { stylists: 12, clients: 2_000, appointments: 20_000, seed: 1 };

export function registerDemo(command: Command, runner: ActionRunner): void {
  runner.define(command, {
    flags: { tour: { flag: '--tour', help: 'Show what you can do with the sample salon' } },
    examples: {
      'salon demo': 'Create it; then try: salon appointments list --from today',
      'salon demo --tour': 'List, export and preview an edit',
    },
    changes: 'this machine',
    handler: async () => createDemo,
  });
}

const createDemo: Handler<{ readonly tour?: boolean }> = async (context) => {
  const { io, messages } = context;
  const store = await context.profiles();
  const profile = store.find(name);
  assertIsDemo(profile);
  const database = prepareEmbeddedDatabase(baseUrl, io);
  const { key, isNew } = await prepareSampleSalon(database, io, profile?.credential?.key);
  const { verifyKey } = await import('../../sign-in/verify-key.ts');
  const signedIn = { base_url: baseUrl, credential: { key, origin: baseUrl } };
  // What the profile keeps of the salon, so that the first command need not ask and start again.
  const { account, salon } = await verifyKey({ ...context, key, profile: signedIn });
  await store.change((profiles) => {
    const saved = profiles.find(name);
    assertIsDemo(saved);
    profiles.save(name, { ...saved, ...signedIn, ...(account && { account }), ...(salon && { salon }) });
    if (profiles.currentName() === undefined) profiles.use(name);
  });
  const { stylists, clients, appointments } = size;
  const has = `${stylists} stylists, ${renderCount(clients)} clients and ${renderCount(appointments)} appointments`;
  messages.info(isNew ? `Created a sample salon with ${has}.` : 'The sample salon already exists.');
  if (context.flags.tour) return { show: 'nothing', exitCode: await showTour(context) };
  const program = store.currentName() === name ? 'salon' : `salon -p ${name}`;
  return { show: 'nothing', message: `Profile: ${name}. Try: ${program} today` };
};

function assertIsDemo(profile: Profile | undefined): void {
  if (profile === undefined || profile.base_url === baseUrl) return;
  throw new SalonError('usage', `Profile "${name}" already exists, for ${profile.base_url}.`, {
    hint: `Remove it first: salon profiles remove ${name}`,
  });
}

/** Creates what is missing of the sample salon, so that a second run completes an interrupted one. */
async function prepareSampleSalon(database: string, io: Io, savedKey: string | undefined) {
  const { openAdministration } = await import('../../../service/administration.ts');
  await using administration = await openAdministration(database, io);
  const known = (await administration.listAccounts())[0];
  const { id: accountId } = known ?? (await administration.createAccount({ name: accountName, plan: 'pro' }));
  const isNew = await administration.isUnused(accountId);
  const { timeZone = 'UTC' } = io;
  if (isNew)
    await administration.seedAccount({ accountId, ...size, today: io.now(), timeZone, extras: true });
  if (!isNew && savedKey !== undefined && (await administration.isKeyAccepted(savedKey))) {
    return { key: savedKey, isNew };
  }
  const request = { role: 'owner', name: 'salon demo', expires_at: null } as const;
  const { key } = await administration.createApiKey(await administration.inAccount(accountId), request);
  return { key, isNew };
}

const csvFile = 'salon-appointments.csv';
const nextCommands = `
Try next:
  npx salon today
  npx salon book
  npx salon report revenue last week
  npx salon --help`;

/**
 * Lists, exports and previews an edit on the sample salon, printing each command first. Returns the first exit code
 * that is not 0.
 */
async function showTour(context: CommandContext): Promise<number> {
  const client = await readFirstClient(context);
  // Tables even in a log.
  const asTable = context.io.terminal.output ? [] : ['--format', 'table'];
  const list = `appointments list --from now --to +7d --sort start_time --limit 10`.split(' ');
  const steps = [
    { title: 'List coming appointments', argv: [...list, ...asTable] },
    { title: 'Export all appointments to a file', argv: ['appointments', 'list', '--output', csvFile] },
    {
      title: 'Preview an edit',
      argv: ['clients', 'update', client, '--set', 'notes=Prefers mornings', '--dry-run', ...asTable],
    },
  ];
  for (const { title, argv } of steps) {
    context.messages.info(`\n${title}:\n$ salon ${argv.map(quote).join(' ')}`);
    const exitCode = await context.runCommand([...argv, '--profile', name]);
    if (exitCode !== 0) return exitCode;
  }
  context.messages.info(nextCommands);
  return 0;
}

/** The first client's name or, if somebody else has it, too, their ID. */
async function readFirstClient({ session, io, messages }: CommandContext): Promise<string> {
  const [{ createPersonFinder }, { nameOfClient }, { openSalonConnection }] = await Promise.all([
    import('../../../client/references/person-finder.ts'),
    import('../../people/names.ts'),
    import('../../session/connection.ts'),
  ]);
  await using connection = await openSalonConnection({ session: await session(name), io, messages });
  for await (const { rows } of connection.client.clients.list({}, { limit: 1 })) {
    const [first] = rows;
    if (first === undefined) break;
    const fullName = nameOfClient(first);
    const found = await createPersonFinder(connection.client).findClients(fullName, { isWrite: true });
    return found.filter(({ isExact }) => isExact).length === 1 ? fullName : first.id;
  }
  throw new SalonError('usage', 'The sample salon has no clients.', {
    hint: 'Delete its database from the data folder and run salon demo again.',
  });
}

function quote(word: string): string {
  return /^[A-Za-z0-9_.:/=+-]+$/.test(word) ? word : `'${word}'`;
}
