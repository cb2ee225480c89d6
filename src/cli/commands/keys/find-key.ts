import type { ApiKey, ApiKeyStatus } from '../../../contract/api-key.ts';
import { SalonError } from '../../../contract/errors.ts';
import type { CommandContext } from '../../session/command-context.ts';

export const keyReference = 'key: name, start of the key, or ID';

/** A key as a question names it. */
export type FoundKey = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'last_used_at'>;

/**
 * The key with an ID, a name or a start. The ID is not looked up. Throws `not_found`, and `usage` when several match:
 * what follows cannot be undone.
 */
export async function findKey(
  { client: open }: Pick<CommandContext, 'client'>,
  text: string,
  statuses: readonly ApiKeyStatus[] = ['active', 'expired'],
): Promise<FoundKey> {
  const reference = text.trim();
  const client = await open();
  const found: ApiKey[] = [];
  for await (const { rows } of client.apiKeys.list({ status: statuses.join(',') })) {
    found.push(...rows.filter((key) => matches(key, reference)));
  }
  const [only, ...others] = found;
  if (only === undefined) {
    throw new SalonError('not_found', `No ${statuses.join(' or ')} API key matches "${reference}".`, {
      hint: 'See: salon keys list',
      members: { resource: 'api_key', id: reference },
    });
  }
  if (others.length === 0) return only;
  const ids = found.map(({ id, name }) => `${id} (${name})`).join(', ');
  throw new SalonError('usage', `${found.length} API keys match "${reference}": ${ids}.`, {
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

function matches({ id, name, prefix }: ApiKey, reference: string): boolean {
  const start = reference.replace(/…$/, '');
  return id === reference || (prefix !== null && prefix === start) || toKey(name) === toKey(reference);
}

function toKey(name: string): string {
  return name.normalize().toLowerCase();
}
