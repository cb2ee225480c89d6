import { type Command, Option } from 'commander';
import { SalonError } from '../../contract/errors.ts';
import { type Role, roles, type Scope, scopes } from '../../contract/roles.ts';
import { didYouMean } from '../../text/closest.ts';
import { joinLists } from './flag.ts';
import { parseMoment } from './moments.ts';
import { parseList, parseName } from './values.ts';

/** Flags of a command that creates an API key. */
export interface KeyFlags {
  readonly name: string;
  readonly role: Role;
  readonly scopes?: string;
  readonly expires?: string;
  readonly stylist?: string;
  readonly addresses?: string;
}

/** What the flags ask for, without the stylist. */
export interface KeyRequest {
  readonly name: string;
  readonly role: Role;
  readonly scopes?: readonly Scope[];
  /** Null for never; missing for the default. */
  readonly expiresAt?: Date | null;
  readonly addresses?: readonly string[];
}

export function addKeyOptions(command: Command): Command {
  return command
    .requiredOption('--name <name>', 'Purpose of the key', parseName)
    .addOption(new Option('--role <role>', 'Role').choices(roles).makeOptionMandatory())
    .option('--scopes <a,b>', 'Only these scopes, e.g. clients:read,appointments:read', joinLists)
    .option('--expires <when>', 'Expiry, e.g. +90d, 2027-01-01 or never (default: in a year)')
    .option('--stylist <who>', 'Stylist: name, email or ID; with --role stylist')
    .option('--addresses <a,b>', 'Only from these IP addresses or ranges', joinLists);
}

/** Throws `usage` for an unknown scope and an expiry in the past. */
export function readKeyRequest(
  { name, role, scopes: scopeList, expires, addresses }: KeyFlags,
  context: { readonly now: Date; readonly timeZone: string },
): KeyRequest {
  return {
    name,
    role,
    ...(scopeList === undefined ? {} : { scopes: parseList(scopeList, '--scopes').map(parseScope) }),
    ...(expires === undefined ? {} : { expiresAt: parseExpiry(expires, context) }),
    ...(addresses === undefined ? {} : { addresses: parseList(addresses, '--addresses') }),
  };
}

function parseExpiry(text: string, { now, timeZone }: { readonly now: Date; readonly timeZone: string }) {
  if (text.trim().toLowerCase() === 'never') return null;
  const expiresAt = new Date(parseMoment(text, { now, timeZone, edge: 'end' }));
  if (expiresAt > now) return expiresAt;
  throw new SalonError('usage', `--expires ${text} is in the past.`, {
    hint: 'Use a future date, e.g. +90d.',
  });
}

function parseScope(text: string): Scope {
  const scope = scopes.find((known) => known === text);
  if (scope !== undefined) return scope;
  throw new SalonError('usage', `Unknown scope "${text}".${didYouMean(text, scopes)}`, {
    hint: `Scopes: ${scopes.join(', ')}`,
  });
}
