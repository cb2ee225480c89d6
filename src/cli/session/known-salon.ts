import type { SalonClient } from '../../client/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Salon, withoutClock } from '../../contract/salon.ts';
import { tryParseJson } from '../../text/json.ts';
import { countOf } from '../../text/numbers.ts';
import {
  type ClockDifference,
  type ClockRules,
  findClockDifferences,
  parseClockRules,
} from '../../time/clock-rules.ts';
import { renderLongDay, toClockText } from '../../time/local-days.ts';
import { parseInstant, toUtcText } from '../../time/time.ts';
import { toOffsetText } from '../flags/moments.ts';
import type { ConfirmationFlags } from '../flags/options.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { Prompts } from '../messages/prompts.ts';
import { assertConfirmed } from './confirmation.ts';
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

interface LocalTimesSources {
  readonly noted: Set<number>;
  readonly io: Pick<Io, 'tzVersion'>;
  readonly flags: ConfirmationFlags & { readonly dryRun?: boolean };
  readonly messages: Messages;
  readonly prompts: Prompts;
  readonly timeZone: () => Promise<string>;
  readonly readSalon: () => Promise<KnownSalon | undefined>;
}

export async function confirmLocalTimes(record: object, sources: LocalTimesSources): Promise<void> {
  const { noted, io, flags, messages, prompts } = sources;
  const values = Object.values(record).map((value) => parseInstant(String(value))?.ms ?? Number.NaN);
  const instants = new Set(values.filter((ms) => noted.has(ms)));
  if (instants.size === 0) return;
  const [timeZone, salon] = [await sources.timeZone(), await sources.readSalon()];
  // Another zone is used on purpose.
  if (salon?.clock === undefined || salon.time_zone?.toLowerCase() !== timeZone.toLowerCase()) return;
  const rules = parseClockRules(tryParseJson(salon.clock));
  if (rules === undefined || rules.offsets.length === 0) {
    const why = rules === undefined ? 'sends rules that no clock can follow' : 'does not know this zone';
    messages.warn(`Times in ${timeZone} are read by the clock rules here alone: the server ${why}.`);
    return noted.clear();
  }
  const [first, ...others] = findClockDifferences(timeZone, rules, instants);
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` The same goes for ${countOf(others.length, 'more times')}.`;
    const fact =
      describeDifference(first, { timeZone, own: { tz_version: io.tzVersion ?? null }, theirs: rules }) +
      more;
    await ask(first, fact);
  }
  for (const ms of instants) noted.delete(ms);

  async function ask({ wallMs, ownMs, theirMs }: ClockDifference, fact: string): Promise<void> {
    if (flags.yes === true || flags.dryRun === true) return messages.warn(fact);
    const own = toShortUtc(ownMs);
    if (prompts.isInteractive) return assertConfirmed(`${fact} Send ${own}?`, flags, prompts);
    const meanings = [theirMs, ownMs].map((ms) => toOffsetText(ms, wallMs)).join(' or ');
    throw new SalonError('confirmation_required', `${fact} Nothing was changed.`, {
      hint: `Say which you mean: write ${meanings}. To send ${own}, add --yes.`,
    });
  }
}

/** One local time, what it is here, and what it is on the server. */
export function describeDifference(
  { wallMs, ownMs, theirMs }: ClockDifference,
  { timeZone, own, theirs }: { timeZone: string; own: Versioned; theirs: Versioned },
): string {
  const when = `${renderLongDay(wallMs)} ${toClockText(wallMs)} in ${timeZone}`;
  return `${when} is ${toShortUtc(ownMs)} by the clock rules here (${renderTz(own)}), but ${toShortUtc(theirMs)} by those of the server (${renderTz(theirs)}).`;
}

type Versioned = Pick<ClockRules, 'tz_version'>;

/** `tz 2026c` */
export function renderTz({ tz_version: version }: Versioned): string {
  return version === null ? 'tz of an unknown version' : `tz ${version}`;
}

/** `2026-12-01T15:00Z` */
function toShortUtc(instantMs: number): string {
  return toUtcText(instantMs).replace(':00Z', 'Z');
}
