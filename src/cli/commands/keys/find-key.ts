import type { ApiKey, ApiKeyStatus } from '../../../contract/api-key.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { CommandContext } from '../../session/command-context.ts';

export const keyReference = 'key: name, start of the key, or ID';

/** A key as a question names it. */
export type FoundKey = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'last_used_at' | 'created_keys'>;

/** Which keys can be meant. */
export interface KeyChoice {
  readonly statuses: readonly ApiKeyStatus[];
  /** Of several keys with a name, such as a rolled one and its successor, those that are meant. */
  readonly isBetter: (key: ApiKey) => boolean;
}

/**
 * The key with an ID, a name or a start: the only match, or the only one of the first group with any. Throws
 * `not_found`, and `usage` when several match, because what follows cannot be undone.
 */
export async function findKey(
  { client: open }: Pick<CommandContext, 'client'>,
  text: string,
  { statuses, isBetter }: KeyChoice,
): Promise<FoundKey> {
  const reference = text.trim();
  const client = await open();
  const found: ApiKey[] = [];
  for await (const { rows } of client.apiKeys.list({ status: statuses.join(',') })) {
    found.push(...rows.filter((key) => matches(key, reference)));
  }
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

/** The ID of the key in use; undefined for another credential and on other servers. */
export async function readOwnKeyId({ client }: Pick<CommandContext, 'client'>): Promise<string | undefined> {
  try {
    const { key } = await (await client()).me();
    return key?.id;
  } catch (error) {
    if (error instanceof SalonError && error.code === 'not_supported') return undefined;
    throw error;
  }
}

export function describeKey({ id, name, prefix }: FoundKey): string {
  return `"${name}" (${prefix === null ? id : `${prefix}…`})`;
}

/** " and everything it created (2)"; empty if it created no key. */
export function describeCreated({ created_keys: count }: FoundKey): string {
  return count > 0 ? ` and everything it created (${count})` : '';
}

function matches({ id, name, prefix }: ApiKey, reference: string): boolean {
  const start = reference.replace(/…$/, '');
  return id === reference || (prefix !== null && prefix === start) || toKey(name) === toKey(reference);
}

function toKey(name: string): string {
  return name.normalize().toLowerCase();
}
