import { type ApiKey, type ApiKeyStatus, rollOverlapSeconds } from '../../../contract/api-key.ts';
import { SalonError } from '../../../contract/errors.ts';
import { parseDurationMs } from '../../../settings.ts';
import type { Handler } from '../../action-runner.ts';
import { nouns } from '../../nouns/nouns.ts';
import { renderInstant } from '../../output/cell.ts';
import type { ColumnSet } from '../../output/columns.ts';
import { readClock } from '../../output/format.ts';
import type { CommandContext } from '../../session/command-context.ts';
import type { Profiles } from '../../session/profiles.ts';
import { isApiKey } from '../../session/resolve-settings.ts';
import { makeSecret, type NewKeyFlags } from '../webhooks/secrets.ts';
import { endRecord, previewWrite } from '../write-record.ts';

export const endKey: Handler<{ readonly dryRun?: boolean }, [reference: string]> = async (
  context,
  reference,
) => {
  const key = await findKey(context, reference, {
    statuses: ['active', 'expired'],
    isBetter: ({ status }) => status === 'active',
  });
  const name = `API key ${describeKey(key)}${describeCreated(key)}`;
  const isOwn = !context.flags.dryRun && (await readOwnKeyId(context)) === key.id;
  const warning = isOwn ? ' You are using this key: you will have to sign in again.' : '';
  return endRecord(context, 'revoke', {
    ...{ id: key.id, name, end: ({ apiKeys }) => apiKeys.revoke(key.id) },
    question: `Revoke ${name}? Programs that use it stop working at once.${warning}`,
  });
};

const columns: ColumnSet = {
  all: nouns.apiKeys.columns.all.toSpliced(
    -2,
    0,
    { key: 'former_id', kind: 'text' },
    { key: 'former_expires_at', kind: 'instant' },
  ),
  table: nouns.apiKeys.columns.table,
};

export const replaceOldKey: Handler<
  NewKeyFlags & { overlap?: string; dryRun?: boolean },
  [reference: string | undefined]
> = async (context, reference) => {
  const body = { overlap_seconds: parseOverlap(context.flags.overlap) };
  const ownId = await readOwnKeyId(context);
  if (reference === undefined && ownId === undefined) {
    throw new SalonError('usage', 'You are not signed in with an API key.', {
      hint: 'Name the key to roll: salon keys roll <key>',
    });
  }
  const key = await findKey(context, reference ?? ownId ?? '', {
    statuses: ['active'],
    isBetter: (known) => known.id === reference || known.replaced_by === null,
  });
  const name = `API key ${describeKey(key)}`;
  if (context.flags.dryRun) {
    const preview = { would: `roll ${name}`, record: { id: key.id, rolled: false } };
    return previewWrite(context, preview, ({ apiKeys }) => apiKeys.roll(key.id, body));
  }
  const own = key.id === ownId ? await findProfilesWithKey(context) : undefined;
  const profiles = own?.names ?? [];
  const roll = async () => {
    const rolled = await (await context.client()).apiKeys.roll(key.id, body);
    await own?.replaceKey(rolled.key);
    const { now, timeZone } = await readClock(context);
    const until = renderInstant(rolled.former_expires_at, { timeZone });
    const isOver = Date.parse(rolled.former_expires_at) <= now.getTime();
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
  return makeSecret('key', context, async () => {
    const { rolled, message } = await roll();
    return { id: key.id, record: { ...rolled }, columns, message };
  });
};

/** The profiles whose saved API key is the one in use; none if it comes from elsewhere. */
async function findProfilesWithKey({ session, profiles }: CommandContext) {
  const { credential } = (await session()).settings;
  const former =
    credential?.source === 'profile' && isApiKey(credential.value) ? credential.value.key : undefined;
  const listIn = (saved: Profiles) =>
    Object.entries(saved.all()).flatMap(([name, profile]) => {
      const { credential } = profile;
      return credential !== undefined && credential.key === former ? [{ name, profile, credential }] : [];
    });
  const found = former === undefined ? [] : listIn(await profiles());
  return {
    names: found.map(({ name }) => name),
    /**
     * Saves a new API key in place of it. Until then the file has the former key, which still works, so that an
     * interruption at any moment locks no one out.
     */
    async replaceKey(key: string): Promise<void> {
      if (found.length === 0) return;
      await (await profiles()).change((latest) => {
        // Somebody may have signed in again meanwhile.
        for (const { name, profile, credential } of listIn(latest))
          latest.save(name, { ...profile, credential: { ...credential, key } });
      });
    },
  };
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

/** Which keys can be meant. */
interface KeyChoice {
  readonly statuses: readonly ApiKeyStatus[];
  /** Of several keys with a name, such as a rolled one and its successor, those that are meant. */
  readonly isBetter: (key: ApiKey) => boolean;
}

/**
 * The key with an ID, a name or a start: the only match, or the only one of the first group with any. Throws
 * `not_found`, and `usage` when several match, because what follows cannot be undone.
 */
async function findKey(
  { client: open }: Pick<CommandContext, 'client'>,
  text: string,
  { statuses, isBetter }: KeyChoice,
): Promise<ApiKey> {
  const reference = text.trim();
  const client = await open();
  const found: ApiKey[] = [];
  for await (const { rows } of client.apiKeys.list({ status: statuses.join(',') }))
    found.push(...rows.filter((key) => matches(key, reference)));
  const better = found.filter(isBetter);
  const [only, ...others] = better.length > 0 ? better : found;
  if (only === undefined) {
    throw new SalonError('not_found', `No ${statuses.join(' or ')} API key matches "${reference}".`, {
      hint: 'See: salon keys list',
      members: { resource: 'api_key', id: reference },
    });
  }
  if (others.length === 0) return only;
  const meant = [only, ...others];
  const ids = meant.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new SalonError('usage', `${meant.length} API keys match "${reference}": ${ids}.`, {
    hint: 'Use the ID of one of them.',
  });
}

/** The ID of the key in use; undefined for another credential. */
async function readOwnKeyId({ client }: Pick<CommandContext, 'client'>): Promise<string | undefined> {
  return (await (await client()).me()).key?.id;
}

function describeKey({ id, name, prefix }: ApiKey): string {
  return `"${name}" (${prefix === null ? id : `${prefix}…`})`;
}

/** " and everything it created (2)"; empty if it created no key. */
function describeCreated({ created_keys: count }: ApiKey): string {
  return count > 0 ? ` and everything it created (${count})` : '';
}

function matches({ id, name, prefix }: ApiKey, reference: string): boolean {
  const toKey = (text: string) => text.normalize().toLowerCase();
  return id === reference || prefix === reference.replace(/…$/, '') || toKey(name) === toKey(reference);
}
