import { apiKeyLimits } from '../../contract/api-key.ts';
import type { BodyOf } from '../../contract/endpoints.ts';
import type { Violation } from '../../contract/errors.ts';
import { scopes as allScopes } from '../../contract/roles.ts';
import { parseInstant } from '../../time/time.ts';
import type { Writer } from '../db/engine.ts';
import { readStylistStatus } from '../db/records/records.ts';
import { checkStylist } from '../domain/stylists.ts';
import { assertValidBody, findUnstorable } from '../domain/validation.ts';
import { normaliseRange } from './address-ranges.ts';

const { nameLength, addresses: maxAddresses } = apiKeyLimits;
/** Control characters, and those that change the direction of a text, so that it looks like another. */
const deceptive = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** A name of spaces and invisible characters alone could not be told apart from another. */
const visible = /[^\p{C}\p{Z}]/u;

/** Checks a body, also one that is a form and has no schema. Throws `validation_failed` with all violations. */
export function parseNewKey(body: BodyOf<'createApiKey'>, now: Date) {
  const { role, scopes, stylist_id: stylistId = null } = body;
  const name = body.name.trim();
  const ranges = body.allowed_addresses?.map((text) => ({ text, range: normaliseRange(text) }));
  const expiresAt = // Milliseconds are as far as a date goes; invalid texts do not pass the schema.
    body.expires_at == null ? body.expires_at : new Date(parseInstant(body.expires_at)?.ms ?? Number.NaN);
  assertValidBody([
    ...findUnstorable(body),
    ...when(!visible.test(name), '/name', 'required', 'must not be blank'),
    ...when(name.length > nameLength, '/name', 'out_of_range', `must have at most ${nameLength} characters`),
    ...when(deceptive.test(name), '/name', 'invalid_format', 'must not contain control characters'),
    ...when(scopes?.length === 0, '/scopes', 'out_of_range', 'must have at least one scope'),
    ...when(role === 'stylist' && stylistId === null, '/stylist_id', 'required', 'is required for this role'),
    ...when(
      role !== 'stylist' && stylistId !== null,
      ...(['/stylist_id', 'invalid_format', 'is only for keys with the role stylist'] as const),
    ),
    ...when(expiresAt != null && !(expiresAt > now), '/expires_at', 'out_of_range', 'must be in the future'),
    ...when(
      (ranges?.length ?? 0) > maxAddresses,
      '/allowed_addresses',
      'out_of_range',
      `must have at most ${maxAddresses} entries`,
    ),
    ...(ranges ?? [])
      .slice(0, maxAddresses)
      .flatMap(({ text, range }, index) =>
        when(
          range === undefined,
          `/allowed_addresses/${index}`,
          'invalid_format',
          `must be an IP address or a range such as 203.0.113.0/24, not "${text}"`,
        ),
      ),
  ]);
  return {
    name,
    role,
    stylistId,
    /** Undefined for the default, null for never. */
    expiresAt,
    scopes: scopes && allScopes.filter((scope) => scopes.includes(scope)),
    /** In normal form; undefined for the default. */
    addresses: ranges && [...new Set(ranges.flatMap(({ range }) => range ?? []))],
  };
}

/** Throws `validation_failed` unless a key's stylist is an active one of the account. */
export async function assertKeyStylist(tx: Writer, accountId: string, id: string | null): Promise<void> {
  if (id === null) return;
  assertValidBody(checkStylist('/stylist_id', await readStylistStatus(tx, { accountId, id })));
}

function when(
  condition: boolean | undefined,
  pointer: string,
  code: Violation['code'],
  problem: string,
): Violation[] {
  return condition ? [{ pointer, code, detail: `${pointer} ${problem}.` }] : [];
}
