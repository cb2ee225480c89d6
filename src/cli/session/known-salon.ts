import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Salon, withoutClock } from '../../contract/salon.ts';
import type { SessionContext } from './network.ts';
import { type KnownSalon, knownNames } from './profile.ts';
import type { ProfileStore } from './profiles.ts';
import type { Session } from './session.ts';

/**
 * What a profile keeps of the salon; undefined if the server does not describe it, or not to this key. Throws what may
 * pass, such as a network error.
 */
export async function readKnownSalon(client: SalonClient): Promise<KnownSalon | undefined> {
  try {
    return toKnownSalon(await client.salon.get(), client);
  } catch (error) {
    if (error instanceof SalonError && !error.retryable) return undefined;
    throw error;
  }
}

/** What is no text is kept as JSON: only the command that needs it fails. */
export function toKnownSalon(record: Salon, client: SalonClient): KnownSalon {
  const known = ([...knownNames, 'clock'] as const).map((name) => [name, record[name]] as const);
  const version = ['version', client.settingsVersion()] as const;
  const given = [...known, version].filter(([, value]) => (value ?? '') !== '');
  const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(given.map(([name, value]) => [name, toText(value)]));
}

/** A session whose salon has other settings than its profile knows, and the version of these. */
export interface OutdatedSession {
  readonly session: Session;
  readonly version: string;
}

type ProfileContext = Pick<SessionContext, 'io' | 'messages'> & {
  readonly profiles: () => Promise<ProfileStore>;
};

/**
 * Reads the settings of the salon again, keeps them in the profile, and says what has changed. The returned version is that
 * of the settings alone: a command that named the clock, too, would not end while processes of a service that go by
 * different rules take turns. Throws like a request; a profile file that cannot be written is no error.
 */
export async function refreshSalon(
  { session, version }: OutdatedSession,
  context: ProfileContext,
): Promise<KnownSalon> {
  const { io, messages } = context;
  const { openSalonConnection } = await import('./connection.ts');
  await using connection = await openSalonConnection({ session, io, messages });
  // A key that may not read them has no settings, but asks once only.
  const salon: KnownSalon = { version, ...(await readKnownSalon(connection.client)) };
  const former = session.profile?.salon;
  for (const name of former ? knownNames : []) {
    const [before, now] = [former?.[name] ?? 'not set', salon[name] ?? 'not set'];
    if (before !== now) messages.info(`The salon's ${toWords(name)} changed from ${before} to ${now}.`);
  }
  await saveKnownSalon(salon, session, context);
  return { ...salon, version: withoutClock(salon.version ?? version) };
}

const toWords = (name: string) => name.replace('_', ' ');

/** Keeps what other commands need of the settings in the profile of a session, so that none has to ask for them. */
export async function saveKnownSalon(
  salon: KnownSalon,
  { profileName, settings }: Session,
  { profiles, messages }: Omit<ProfileContext, 'io'>,
): Promise<void> {
  // A key from the environment may belong to another salon.
  if (profileName === undefined || settings.credential?.source !== 'profile') return;
  try {
    await (await profiles()).change((all) => {
      const profile = all.find(profileName);
      if (profile?.base_url === settings.baseUrl?.value && profile)
        all.save(profileName, { ...profile, salon });
    });
  } catch (error) {
    messages.verbose(
      `The settings of the salon are not kept: ${error instanceof Error ? error.message : error}`,
    );
  }
}
