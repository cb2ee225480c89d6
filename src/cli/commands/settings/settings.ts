import type { Command } from 'commander';
import type { SalonClient } from '../../../client/client.ts';
import { type Salon, salon as schema } from '../../../contract/salon.ts';
import type { ActionRunner, Handler } from '../../action-runner.ts';
import { confirmationFlags, type PrintFlags, printFlags, writeFlags } from '../../flags/options.ts';
import { parseCurrency, parseOpeningHours } from '../../flags/values.ts';
import { nouns } from '../../nouns/nouns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { changeColumns, explainUnknownFields } from '../write-record.ts';
import { readSalonText, reviewChange, reviewedSettings } from './review-change.ts';

const { updated_at: _, clock: _clock, ...settings } = schema.properties;

/** Clears a setting. */
const noValue = 'none';

export function registerSettings(parent: Command, runner: ActionRunner): void {
  runner.define(parent.command('show'), {
    description: "Show the salon's settings",
    flags: printFlags,
    examples: {
      'salon settings show': 'Time zone, currency, opening hours and more, as the service has them',
    },
    handler: async () => showSettings,
  });
  runner.define(parent.command('set'), {
    description: 'Change a setting of the salon, for everybody',
    args: {
      '<setting>': { suggested: Object.keys(settings) },
      '<value...>': `new value; ${noValue} to clear it`,
    },
    flags: {
      dryRun: { ...writeFlags.dryRun, help: 'Check and show what would change; change nothing' },
      ...confirmationFlags,
      ...printFlags,
    },
    examples: {
      'salon settings set time_zone Europe/Berlin': 'Set the time zone of the salon',
      'salon settings set opening_hours tue-fri 9-18, sat 9-14': 'Set the opening hours',
      'salon settings set phone none': 'Clear a setting',
    },
    undo: 'salon settings set',
    handler: async () => setSetting,
  });
}

async function remember(record: Salon, client: SalonClient, context: CommandContext): Promise<void> {
  const { saveKnownSalon, toKnownSalon } = await import('../../session/known-salon.ts');
  await saveKnownSalon(toKnownSalon(record, client), await context.session(), context);
}

const showSettings: Handler = async (context) => {
  const client = await context.client();
  const record = await client.salon.get();
  await remember(record, client, context);
  return { show: 'record', record: { ...record }, columns: nouns.salon.columns };
};

function parseValue(setting: string, given: string): string | null {
  if (given === noValue) return null;
  if (setting === 'currency') return parseCurrency(given, setting);
  return setting === 'opening_hours' ? parseOpeningHours(given, setting) : given;
}

async function setSetting(
  context: CommandContext<PrintFlags & { readonly dryRun?: boolean }>,
  setting: string,
  words: readonly string[],
): Promise<CommandResult> {
  const value = parseValue(setting, words.join(' '));
  const { dryRun = false } = context.flags;
  const client = await context.client();
  const seen = dryRun || reviewedSettings.includes(setting) ? await client.salon.getTagged() : undefined;
  const old = seen ? readSalonText(seen.record, setting) : null;
  const review = seen && (await reviewChange({ setting, old, value, zone: seen.record.time_zone }, context));
  // What is confirmed is the change of what was shown.
  const ifMatch = review && seen?.etag;
  const change = ({ salon }: Pick<typeof client, 'salon'>) =>
    explainUnknownFields(salon.update({ [setting]: value }, { ifMatch }), Object.keys(settings));
  if (review !== undefined) context.messages.info(review.lines.join('\n'));
  if (dryRun) {
    context.messages.info(await context.checkDryRun(change));
    const row = { field: setting, old, new: value };
    return { show: 'records', noun: 'changes', columns: changeColumns, pages: onePage([row]) };
  }
  if (review !== undefined) await context.confirm(review.question);
  const changed = await change(client);
  await remember(changed, client, context);
  const record = { ...changed };
  const stored = new Map<string, unknown>(Object.entries(record)).get(setting) ?? noValue;
  return {
    show: 'record',
    record,
    columns: nouns.salon.columns,
    message: `The salon's ${setting.replaceAll('_', ' ')} ${setting.endsWith('hours') ? 'are' : 'is'} ${stored}.`,
  };
}
