import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { renderCount } from '../../../contract/numbers.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { prepareEmbeddedDatabase, toEmbeddedUrl } from '../../session/embedded.ts';
import type { Profile } from '../../session/profiles.ts';

interface Flags {
  readonly tour?: boolean;
}

const name = 'demo';

/** A salon of believable size: what one with a dozen chairs has after two years. */
const size = { stylists: 12, clients: 2_000, appointments: 20_000, seed: 1 };

export function registerDemo(command: Command, runner: ActionRunner): void {
  command.option('--tour', 'also show what can be done with it');
  addExamples(command, [
    ['salon demo', 'then try: salon appointments list --from today'],
    ['salon demo --tour', 'lists, exports and previews an edit'],
  ]);
  command.action(runner.action(makeDemo));
}

async function makeDemo(context: CommandContext<Flags>): Promise<CommandResult> {
  const { io, messages } = context;
  const address = toEmbeddedUrl(name);
  const store = await context.profiles();
  const profile = store.find(name);
  if (profile !== undefined && profile.base_url !== address) {
    throw new SalonError('usage', `There is a profile "${name}" already, for ${profile.base_url}.`, {
      hint: `Remove it first: salon profiles remove ${name}`,
    });
  }
  const { prepareSampleSalon } = await import('./sample-salon.ts');
  const sample = await prepareSampleSalon({
    database: prepareEmbeddedDatabase(address, io),
    io,
    size,
    key: profile?.credential?.key,
  });
  store.save(name, { ...profile, ...toProfile(address, sample) });
  if (store.currentName() === undefined) store.use(name);
  messages.info(
    sample.made ? `Made a sample salon with ${describeSize()}.` : 'The sample salon is there already.',
  );
  const prefix = store.currentName() === name ? 'salon' : `salon -p ${name}`;
  if (context.flags.tour) {
    const { showTour } = await import('./tour.ts');
    return { show: 'nothing', exitCode: await showTour(context, name) };
  }
  return {
    show: 'nothing',
    said: `Profile: ${name}. Try: ${prefix} appointments list --from today --to +7d --sort start_time`,
  };
}

function toProfile(address: string, { key, account }: { key: string; account: Profile['account'] }): Profile {
  return { base_url: address, credential: { key, origin: address }, ...(account ? { account } : {}) };
}

function describeSize(): string {
  const { stylists, clients, appointments } = size;
  return `${stylists} stylists, ${renderCount(clients)} clients and ${renderCount(appointments)} appointments`;
}
