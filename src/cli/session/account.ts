import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import { openConnection } from './connection.ts';
import { isEmbedded } from './embedded.ts';
import type { Profile } from './profiles.ts';
import { resolveSettings } from './settings.ts';

export type Account = NonNullable<Profile['account']>;

/** Who the credential belongs to; undefined where the service cannot say. Throws when it is not accepted. */
export async function readAccount(client: SalonClient): Promise<Account | undefined> {
  try {
    const { account, role } = await client.me();
    return { id: account.id, name: account.name, plan: account.plan, role };
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'not_supported') throw error;
    // Without /me the key is tried on the documented list instead.
    for await (const _page of client.clients.list({}, { limit: 1 })) break;
    return undefined;
  }
}

export interface KeyTrial {
  readonly baseUrl: string;
  readonly key: string;
  readonly io: Io;
  readonly messages: Messages;
  readonly dialect: Readonly<Record<string, unknown>>;
}

/** Tries a key before it is stored: who it belongs to, the origin it is bound to, and what was learned of the server. */
export async function tryKey({ baseUrl, key, io, messages, dialect }: KeyTrial) {
  const profile = { base_url: baseUrl, dialect };
  const flags = { baseUrl };
  const settings = resolveSettings({
    flags,
    env: {},
    profile,
    systemTimeZone: io.timeZone,
    environmentKey: key,
  });
  await using connection = await openConnection({
    session: { profileName: undefined, profile, settings },
    io,
    messages,
  });
  const account = await readAccount(connection.client);
  const origin = isEmbedded(baseUrl) ? baseUrl : new URL(baseUrl).origin;
  return { account, origin, dialect: { ...connection.client.dialect() } };
}
