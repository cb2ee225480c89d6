import type { Command } from 'commander';
import { rollOverlapSeconds } from '../../../contract/api-key.ts';
import { SalonError } from '../../../contract/errors.ts';
import { parseDurationMs } from '../../../contract/settings.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmOption, addPrintOptions, type PrintFlags } from '../../flags/options.ts';
import { renderInstant } from '../../output/cell.ts';
import { apiKeyColumns, type ColumnSet } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { checkDryRun } from '../../session/dry-run.ts';
import { makeSecretOf } from '../webhooks/secrets.ts';
import { keyReference } from './find-key.ts';

interface Flags extends PrintFlags {
  readonly overlap?: string;
  readonly keyFile?: string;
  readonly dryRun?: boolean;
}

const columns: ColumnSet = {
  all: apiKeyColumns.all.toSpliced(
    -2,
    0,
    { key: 'former_id', kind: 'text' },
    { key: 'former_expires_at', kind: 'instant' },
  ),
  table: apiKeyColumns.table,
};

export function registerKeysRoll(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('roll')
    .argument('[key]', `${keyReference} (default: the profile's own)`)
    .description('Replace an API key with a new one; the old one stays valid for a while')
    .option('--overlap <time>', 'How long the old key stays valid, e.g. 1h or 0 (default: 24h)')
    .option('--key-file <file>', 'Save the new key to a new file (readable only by you)')
    .option('-n, --dry-run', 'Check and show the key; change nothing');
  addConfirmOption(command);
  addPrintOptions(command);
  addExamples(command, [
    ['salon keys roll', "Replace the profile's own key, and save the new one"],
    ['salon keys roll Website --key-file website.key', 'Save the new key to a file'],
    ['salon keys roll key_01jd… --overlap 0', 'Stop a leaked key at once'],
  ]);
  command.action(runner.action(rollKey));
}

async function rollKey(
  context: CommandContext<Flags>,
  reference: string | undefined,
): Promise<CommandResult> {
  const body = { overlap_seconds: parseOverlap(context.flags.overlap) };
  const [
    { describeCreated, describeKey, findKey, readOwnKeyId },
    { findProfilesWithKey, replaceKeyInProfiles },
  ] = await Promise.all([import('./find-key.ts'), import('../../session/replace-key.ts')]);
  const ownId = await readOwnKeyId(context);
  if (reference === undefined && ownId === undefined) throw noOwnKey();
  const key = await findKey(context, reference ?? ownId ?? '', {
    statuses: ['active'],
    isBetter: (known) => known.id === reference || known.replaced_by === null,
  });
  const name = `API key ${describeKey(key)}`;
  if (context.flags.dryRun) {
    const verdict = await checkDryRun(context, ({ apiKeys }) => apiKeys.roll(key.id, body));
    const message = `Would roll ${name}.\n${verdict}`;
    return { show: 'record', record: { id: key.id, rolled: false }, message };
  }
  const profiles = key.id === ownId ? await findProfilesWithKey(context) : [];
  const roll = async () => {
    const rolled = await (await context.client()).apiKeys.roll(key.id, body);
    await replaceKeyInProfiles(context, profiles, rolled.key);
    const { value: timeZone } = (await context.session()).settings.timeZone;
    const until = renderInstant(rolled.former_expires_at, { timeZone });
    const isOver = Date.parse(rolled.former_expires_at) <= context.io.now().getTime();
    const created = describeCreated(key);
    const work = created === '' ? 'works' : 'work';
    const end = isOver ? `no longer ${work}` : `${work} until ${until} (${timeZone})`;
    return { rolled, message: `Rolled ${name}; the old one${created} ${end}.` };
  };
  if (profiles.length > 0 && context.flags.keyFile === undefined) {
    const { rolled, message } = await roll();
    const { key: _secret, ...record } = rolled;
    const saved = profiles.length === 1 ? `Profile ${profiles[0]}` : `Profiles ${profiles.join(', ')}`;
    const has = profiles.length === 1 ? 'has' : 'have';
    return { show: 'record', record, columns, message: `${message} ${saved} ${has} the new one.` };
  }
  const kind = {
    ...{ field: 'key', flag: '--key-file', file: context.flags.keyFile },
    again: (id: string) => `salon keys roll ${id}`,
  };
  return makeSecretOf(kind, context, async () => {
    const { rolled, message } = await roll();
    return { id: key.id, record: { ...rolled }, columns, message };
  });
}

/** In seconds. Throws `usage`. */
function parseOverlap(text: string | undefined): number {
  if (text === undefined) return rollOverlapSeconds.default;
  const seconds = text.trim() === '0' ? 0 : Math.ceil(parseDurationMs(text, '--overlap') / 1000);
  if (seconds <= rollOverlapSeconds.max) return seconds;
  throw new SalonError('usage', `--overlap can be at most ${rollOverlapSeconds.max / 86_400} days.`, {
    hint: 'For example 1h, 24h or 168h.',
  });
}

function noOwnKey(): SalonError {
  return new SalonError('usage', 'You are not signed in with an API key.', {
    hint: 'Name the key to roll: salon keys roll <key>',
  });
}
