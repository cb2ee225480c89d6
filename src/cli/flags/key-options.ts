import type { BodyOf } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { roles, scopes } from '../../contract/roles.ts';
import type { FlagTable, FlagValues } from './flag.ts';
import { parseMoment } from './moments.ts';
import { parseList, parseName, parseWords } from './values.ts';

/** For commands that create an API key. */
export const keyFlags = {
  name: { flag: '--name <name>', help: 'Purpose of the key', isRequired: true, parse: parseName },
  role: { flag: '--role <role>', help: 'Role', isRequired: true, choices: roles },
  scopes: {
    flag: '--scopes <a,b>',
    help: 'Only these scopes, e.g. clients:read,appointments:read',
    parse: (text: string, flag: string) => parseWords(text, flag, { one: 'scope', all: scopes }),
    complete: scopes,
  },
  expires: { flag: '--expires <when>', help: 'Expiry, e.g. +90d, 2027-01-01 or never (default: in a year)' },
  stylist: {
    flag: '--stylist <who>',
    help: 'Stylist: name, email or ID; with --role stylist',
    complete: 'stylists',
  },
  addresses: {
    flag: '--addresses <a,b>',
    help: 'Only from these IP addresses or ranges',
    parse: parseList,
  },
} as const satisfies FlagTable;

export type KeyFlags = FlagValues<typeof keyFlags>;

/** What the flags ask for, without the ID of the stylist. Throws `usage`, also for an expiry in the past. */
export function readKeyRequest(
  { name, role, scopes: wanted, expires, stylist, addresses }: KeyFlags,
  context: { readonly now: Date; readonly timeZone: string },
): BodyOf<'createApiKey'> {
  if (role === 'stylist' && stylist === undefined) {
    throw new SalonError('usage', 'An API key with the role stylist needs a stylist.', {
      hint: 'Name the stylist: --stylist <who>.',
    });
  }
  if (role !== 'stylist' && stylist !== undefined) {
    throw new SalonError('usage', `An API key with the role ${role} cannot be limited to a stylist.`, {
      hint: 'Use --stylist with --role stylist only.',
    });
  }
  return {
    name,
    role,
    ...(wanted === undefined ? {} : { scopes: [...wanted] }),
    ...(expires === undefined ? {} : { expires_at: parseExpiry(expires, context) }),
    ...(addresses === undefined ? {} : { allowed_addresses: [...addresses] }),
  };
}

/** Null for never. */
function parseExpiry(text: string, { now, timeZone }: { readonly now: Date; readonly timeZone: string }) {
  if (text.trim().toLowerCase() === 'never') return null;
  const expiresAt = new Date(parseMoment(text, { now, timeZone, edge: 'end' }));
  if (expiresAt > now) return expiresAt.toISOString();
  throw new SalonError('usage', `--expires ${text} is in the past.`, {
    hint: 'Use a future date, e.g. +90d.',
  });
}
