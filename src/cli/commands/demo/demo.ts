import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { renderCount } from '../../../contract/numbers.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { Io } from '../../io.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { Account } from '../../session/account.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { prepareEmbeddedDatabase, toEmbeddedUrl } from '../../session/embedded.ts';
import type { Profile } from '../../session/profiles.ts';

interface Flags {
  readonly tour?: boolean;
}

const name = 'demo';
const baseUrl = toEmbeddedUrl(name);
const accountName = 'Salon Aurora (sample)';

/** A salon with a dozen chairs after 18 months. */
const size = { stylists: 12, clients: 2_000, appointments: 20_000, seed: 1 };

export function registerDemo(command: Command, runner: ActionRunner): void {
  command.option('--tour', 'Show what you can do with the sample salon');
  addExamples(command, [
    ['salon demo', 'Create it; then try: salon appointments list --from today'],
    ['salon demo --tour', 'List, export and preview an edit'],
  ]);
  command.action(runner.action(createDemo));
}

async function createDemo(context: CommandContext<Flags>): Promise<CommandResult> {
  const { io, messages } = context;
  const store = await context.profiles();
  const profile = store.find(name);
  assertIsDemo(profile);
  const database = prepareEmbeddedDatabase(baseUrl, io);
  const { key, account, isNew } = await prepareSampleSalon(database, io, profile?.credential?.key);
  await store.change((profiles) => {
    const saved = profiles.find(name);
    assertIsDemo(saved);
    profiles.save(name, { ...saved, base_url: baseUrl, credential: { key, origin: baseUrl }, account });
    if (profiles.currentName() === undefined) profiles.use(name);
  });
  messages.info(
    isNew ? `Created a sample salon with ${describeSize()}.` : 'The sample salon already exists.',
  );
  if (context.flags.tour) {
    const { showTour } = await import('./tour.ts');
    return { show: 'nothing', exitCode: await showTour(context, name) };
  }
  const program = store.currentName() === name ? 'salon' : `salon -p ${name}`;
  return {
    show: 'nothing',
    message: `Profile: ${name}. Try: ${program} today`,
  };
}

function assertIsDemo(profile: Profile | undefined): void {
  if (profile === undefined || profile.base_url === baseUrl) return;
  throw new SalonError('usage', `Profile "${name}" already exists, for ${profile.base_url}.`, {
    hint: `Remove it first: salon profiles remove ${name}`,
  });
}

interface SampleSalon {
  readonly key: string;
  readonly account: Account;
  /** Whether sample data was added. */
  readonly isNew: boolean;
}

/** Creates what is missing of the sample salon, so that a second run completes an interrupted one. */
async function prepareSampleSalon(
  database: string,
  io: Io,
  savedKey: string | undefined,
): Promise<SampleSalon> {
  const { openAdministration } = await import('../../../service/administration.ts');
  await using administration = await openAdministration(database, io);
  const known = (await administration.listAccounts())[0];
  const owner = known ?? (await administration.createAccount({ name: accountName, plan: 'pro' }));
  const { id, plan } = owner;
  const account = { id, name: owner.name, plan, role: 'owner' };
  const isNew = await administration.isUnused(id);
  if (isNew)
    await administration.seedAccount({ accountId: id, ...size, today: io.now(), timeZone: io.timeZone });
  if (!isNew && savedKey !== undefined && (await administration.isKeyAccepted(savedKey))) {
    return { key: savedKey, account, isNew };
  }
  const { key } = await administration.createApiKey({
    accountId: id,
    role: 'owner',
    name: 'salon demo',
    expiresAt: null,
  });
  return { key, account, isNew };
}

function describeSize(): string {
  const { stylists, clients, appointments } = size;
  return `${stylists} stylists, ${renderCount(clients)} clients and ${renderCount(appointments)} appointments`;
}
