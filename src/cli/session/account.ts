import type { SalonClient } from '../../client/client.ts';
import { isFields } from '../../client/fields.ts';
import { parseBaseUrl } from '../../client/http/base-url.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import { openSalonConnection, type SalonConnection } from './connection.ts';
import { isMisfit } from './detect-dialect.ts';
import { parseSavedDialect } from './dialect-settings.ts';
import { isEmbedded } from './embedded.ts';
import type { Profile } from './profiles.ts';
import { type GlobalFlags, resolveSettings } from './settings.ts';

export type Account = NonNullable<Profile['account']>;

/**
 * Reads the key's account; undefined where the service has no /me, so that the key is tried on the list of clients.
 * Throws when the key is refused.
 */
export async function readAccount(client: SalonClient): Promise<Account | undefined> {
  try {
    const account = toAccount(await client.me());
    if (account !== undefined) return account;
  } catch (error) {
    if (!isMisfit(error)) throw error;
  }
  for await (const _page of client.clients.list({}, { limit: 1 })) break;
  return undefined;
}

/** Undefined for the /me of another API. */
function toAccount(me: unknown): Account | undefined {
  const { account, role } = isFields(me) ? me : {};
  const { id, name, plan } = isFields(account) ? account : {};
  const texts = [id, name, plan, role];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  return { id: String(id), name: String(name), plan: String(plan), role: String(role) };
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
  /** The origin that the key may be sent to. */
  readonly origin: string;
}

/** Verifies a key. Throws when it is refused. */
export async function verifyKey(server: KeyVerification): Promise<VerifiedKey> {
  await using connection = await openWithKey(server);
  return { account: await readAccount(connection.client), origin: toKeyOrigin(server.baseUrl) };
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
  const settings = resolveSettings({
    flags: { ...flags, ...others, baseUrl },
    env: io.env,
    profile,
    systemTimeZone: io.timeZone,
    environmentKey: key,
  });
  const dialect = parseSavedDialect(profile.dialect ?? {});
  return openSalonConnection({
    session: { profileName: undefined, profile, settings, dialect },
    io,
    messages,
    showsCurl: flags.curl === true,
  });
}
