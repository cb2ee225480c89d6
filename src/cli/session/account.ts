import type { SalonClient } from '../../client/client.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import { isFields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import type { GlobalFlags } from '../flags/options.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { CommandContext } from './command-context.ts';
import { parseSavedDialect } from './configured-dialect.ts';
import { openSalonConnection, readKnownSalon, type SalonConnection } from './connection.ts';
import { isEmbedded } from './embedded.ts';
import type { KnownSalon, Profile } from './profiles.ts';
import { createUnsavedSession } from './session.ts';

export type Account = NonNullable<Profile['account']>;

/** What the service says about the one who calls it. */
export interface Identity {
  readonly account: Account;
  /** The person who signed in, or undefined for an API key. */
  readonly person: string | undefined;
  readonly scopes: readonly string[];
  /** When the API key expires; undefined for one that does not, and for a sign-in. */
  readonly keyExpiresAt: string | undefined;
}

/**
 * Reads the account of the key or sign-in; undefined where the service has no /me, so that the key is tried on the list
 * of clients. Throws when the key is refused.
 */
export async function readIdentity(client: SalonClient): Promise<Identity | undefined> {
  const identity = await readMe(client).catch((error: unknown) => {
    if (!isMisfit(error)) throw error;
  });
  if (identity !== undefined) return identity;
  for await (const _page of client.clients.list({}, { limit: 1 })) break;
  return undefined;
}

/** What /me says; undefined for that of another API. */
export async function readMe(client: SalonClient): Promise<Identity | undefined> {
  return toIdentity(await client.me());
}

/** Like `readIdentity`. */
export async function readAccount(client: SalonClient): Promise<Account | undefined> {
  return (await readIdentity(client))?.account;
}

function toIdentity(me: unknown): Identity | undefined {
  const { account, role, user, key, scopes } = isFields(me) ? me : {};
  const { id, name, plan } = isFields(account) ? account : {};
  const texts = [id, name, plan, role];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  const { name: person, email } = isFields(user) ? user : {};
  const { expires_at: expiresAt } = isFields(key) ? key : {};
  return {
    account: { id: String(id), name: String(name), plan: String(plan), role: String(role) },
    person: typeof email === 'string' ? (person ? `${person} (${email})` : email) : undefined,
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
    keyExpiresAt: typeof expiresAt === 'string' ? expiresAt : undefined,
  };
}

export interface KeyVerification {
  readonly baseUrl: string;
  readonly key: string;
  readonly io: Io;
  readonly messages: Messages;
  /** The flags of the command: time limits, certificates and headers. */
  readonly flags: GlobalFlags;
  /** What is known about the server. */
  readonly profile: Partial<Profile>;
}

export interface VerifiedKey {
  /** Undefined where the server does not name it. */
  readonly account: Account | undefined;
  /** The person who signed in. */
  readonly person: string | undefined;
  readonly salon?: KnownSalon | undefined;
  /** The origin that the key may be sent to. */
  readonly origin: string;
}

/** Verifies a key. Throws when it is refused. */
export async function verifyKey(server: KeyVerification): Promise<VerifiedKey> {
  await using connection = await openWithKey(server);
  const { account, person } = (await readIdentity(connection.client)) ?? {};
  const salon = account === undefined ? undefined : await readKnownSalon(connection.client);
  return { account, person, salon, origin: toKeyOrigin(server.baseUrl) };
}

/** The currency of prices, as the service has it now; that of the profile on a server without settings. */
export async function readCurrency({
  client,
  session,
}: Pick<CommandContext, 'client' | 'session'>): Promise<string | undefined> {
  const known = (await session()).settings.currency?.value;
  try {
    return (await (await client()).salon.get()).currency ?? known;
  } catch (error) {
    if (error instanceof SalonError && error.code === 'not_supported') return known;
    throw error;
  }
}

/** As `readCurrency`. Throws `usage` without one. */
export async function requirePriceCurrency(
  context: Pick<CommandContext, 'client' | 'session'>,
): Promise<string> {
  const currency = await readCurrency(context);
  if (currency !== undefined) return currency;
  throw new SalonError('usage', 'A price needs a currency, and the salon has none.', {
    hint: 'Set it: salon settings set currency EUR',
  });
}

/** The only origin that a key entered for this base URL is sent to. */
export function toKeyOrigin(baseUrl: string): string {
  return isEmbedded(baseUrl) ? baseUrl : parseBaseUrl(baseUrl).origin;
}

/** Opens a connection with a key that is not saved yet. */
export function openWithKey(
  { baseUrl, key, io, messages, flags, profile: known }: KeyVerification,
  others: GlobalFlags = {},
): Promise<SalonConnection> {
  const profile = { ...known, base_url: baseUrl };
  const session = createUnsavedSession(profile, { flags: { ...flags, ...others }, io, key });
  const dialect = parseSavedDialect(profile.dialect ?? {});
  return openSalonConnection({
    session: { ...session, dialect },
    io,
    messages,
    showsCurl: flags.curl === true,
  });
}

/** Whether an error may come from a wrong path or form, so that another dialect may help. */
export function isMisfit(error: unknown): error is SalonError {
  if (!(error instanceof SalonError) || error.retryable || error.code === 'address_not_allowed') return false;
  if (misfits.includes(error.code)) return true;
  const { status = 0 } = error;
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}

const misfits = [
  'not_supported',
  'unexpected_response',
  'redirect_refused',
  'response_too_large',
  'page_repeated',
];
