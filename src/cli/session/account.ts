import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import { openSalonConnection } from './connection.ts';
import { isEmbedded } from './embedded.ts';
import type { Profile } from './profiles.ts';
import { type GlobalFlags, resolveSettings } from './settings.ts';

export type Account = NonNullable<Profile['account']>;

/** Reads the key's account; undefined where the service has no /me. Throws when the key is refused. */
export async function readAccount(client: SalonClient): Promise<Account | undefined> {
  try {
    const { account, role } = await client.me();
    return { id: account.id, name: account.name, plan: account.plan, role };
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_supported') throw error;
    // Without /me the key is tried on the list of clients.
    for await (const _page of client.clients.list({}, { limit: 1 })) break;
    return undefined;
  }
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

/** Verifies a key. Returns its account and the origin it may be sent to. */
export async function verifyKey({ baseUrl, key, io, messages, flags, profile: known }: KeyVerification) {
  const profile = { ...known, base_url: baseUrl };
  const settings = resolveSettings({
    flags: { ...flags, baseUrl },
    env: io.env,
    profile,
    systemTimeZone: io.timeZone,
    environmentKey: key,
  });
  const session = { profileName: undefined, profile, settings };
  await using connection = await openSalonConnection({ session, io, messages });
  const account = await readAccount(connection.client);
  const origin = isEmbedded(baseUrl) ? baseUrl : new URL(baseUrl).origin;
  return { account, origin };
}
