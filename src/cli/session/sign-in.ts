import { isDeepStrictEqual } from 'node:util';
import { contractDialect, type Dialect, declaresServer } from '../../client/dialect/dialect.ts';
import { dialectRules } from '../../client/dialect/parse-dialect.ts';
import { type PresetName, presetNames, readPreset } from '../../client/dialect/presets.ts';
import { type SalonError, withContext } from '../../contract/errors.ts';
import type { GlobalFlags } from '../flags/options.ts';
import type { Io } from '../io.ts';
import type { Messages } from '../messages/messages.ts';
import type { Prompts } from '../messages/prompts.ts';
import { isMisfit, readIdentity } from './account.ts';
import { parseSavedDialect, type SavedDialect } from './configured-dialect.ts';
import { openSalonConnection, readKnownSalon } from './connection.ts';
import { isEmbedded } from './embedded.ts';
import type { Profile } from './profile.ts';
import { isPlaceAlone, placeOf, recogniseDialect } from './recognise-dialect.ts';
import { createUnsavedSession } from './session.ts';

/** A key, and what is known about its server. */
interface KeyVerification {
  readonly baseUrl: string;
  readonly key: string;
  readonly io: Io;
  readonly messages: Messages;
  /** The flags of the command: time limits, certificates and headers. */
  readonly flags: GlobalFlags;
  readonly profile: Partial<Profile>;
}

/** What the server says about a key; undefined where it does not. */
type SignedIn = Awaited<ReturnType<typeof verifyKey>>;

/**
 * Verifies a key on a server that may be of another kind. Without a given dialect it is detected; where that fails, a
 * person at a terminal is asked until the server answers. Throws the error of the server otherwise.
 */
export async function signIn(asked: KeyVerification, prompts: Prompts): Promise<SignedIn> {
  const server = { ...asked, messages: withoutRepeats(asked.messages) };
  const given = server.profile.dialect;
  try {
    const verified = await verifyKey(server);
    // A server whose lists have other names is one of another kind, whose paging is to be found out, too.
    const isOpen = isPlaceAlone(given) && given?.['extends'] === undefined;
    const isFound = isOpen && declaresServer(parseSavedDialect(given ?? {}));
    return (isFound ? await findDialect(server, given) : undefined) ?? verified;
  } catch (error) {
    if (!isMisfit(error) || isEmbedded(server.baseUrl)) throw error;
    const found = isPlaceAlone(given) ? await findDialect(server, given) : undefined;
    if (found !== undefined) return found;
    if (prompts.isInteractive) return askForDialect(server, error, prompts);
    throw withContext(error, {
      message: `No list of clients found at ${server.baseUrl}: ${error.message}`,
      hint: `Say how this server differs, with --dialect ${presetNames.join('|')}|<file.json>, or --set prefix=/api.`,
    });
  }
}

/** Verifies a key. Throws when it is refused. */
async function verifyKey(server: KeyVerification) {
  await using connection = await openWithKey(server);
  const { account, person } = (await readIdentity(connection.client)) ?? {};
  const salon = account === undefined ? undefined : await readKnownSalon(connection.client);
  return { account, person, salon, dialect: server.profile.dialect };
}

/** Opens a connection with a key that is not saved yet. */
function openWithKey({ baseUrl, key, io, messages, flags, profile: known }: KeyVerification) {
  const profile = { ...known, base_url: baseUrl };
  const session = createUnsavedSession(profile, { flags, io, key });
  const dialect = parseSavedDialect(profile.dialect ?? {});
  const showsCurl = flags.curl === true;
  return openSalonConnection({ session: { ...session, dialect }, io, messages, showsCurl });
}

/** Every attempt is a separate connection, with the same warnings. */
function withoutRepeats(messages: Messages): Messages {
  const warned = new Set<string>();
  return {
    ...messages,
    warn(text) {
      if (!warned.has(text)) messages.warn(text);
      warned.add(text);
    },
  };
}

/**
 * Looks for the list of clients at the usual places, and finds out how the lists are paged. Only reads. Stops at errors
 * that no other path would mend.
 */
async function findDialect(server: KeyVerification, given: SavedDialect = {}): Promise<SignedIn | undefined> {
  const flags = { ...server.flags, retries: '0' };
  const connect = () => openWithKey({ ...withDialect(server, { prefix: '' }), flags });
  const { extends: wanted, ...members } = given;
  const found = await recogniseDialect({ ...server, connect, wanted, place: placeOf(members) });
  if (found === undefined) return undefined;
  const signedIn = await tryDialect(server, found);
  return 'error' in signedIn ? undefined : signedIn;
}

async function tryDialect(
  server: KeyVerification,
  dialect: SavedDialect,
): Promise<SignedIn | { readonly error: SalonError }> {
  try {
    return await verifyKey(withDialect(server, dialect));
  } catch (error) {
    if (!isMisfit(error)) throw error;
    return { error };
  }
}

async function askForDialect(server: KeyVerification, first: SalonError, prompts: Prompts) {
  let problem = first;
  for (;;) {
    server.messages.info(`This server does not answer like the documented API: ${problem.message}`);
    const { kind, usual, prefix, clients } = await prompts.inTurn(async () => {
      const answer = await prompts.choose('What kind of server is it?', [...presetNames, 'another kind']);
      const kind = presetNames.find((name) => name === answer);
      const usual = usualOf(kind);
      const prefix = await prompts.text('Path before every resource, such as /api/v1; / for none', {
        suggestion: usual.prefix || '/',
        validate: (answer) =>
          answer === '/' || dialectRules.prefix.parse(answer) !== undefined
            ? undefined
            : `Type ${dialectRules.prefix.expected}.`,
      });
      const clients = await prompts.text('Its name for clients', {
        suggestion: usual.resources['clients'] ?? 'clients',
        validate: (answer) =>
          dialectRules.resources.parse({ clients: answer }) ? undefined : 'Type a name such as customers.',
      });
      return { kind, usual, prefix, clients };
    });
    const isUsual = clients === (usual.resources['clients'] ?? 'clients');
    const answered = toDialect(kind, {
      prefix: prefix === '/' ? '' : prefix,
      resources: isUsual ? usual.resources : { ...usual.resources, clients },
    });
    const signedIn = await tryDialect(server, answered);
    if (!('error' in signedIn)) return signedIn;
    const found = isPlaceAlone(answered) ? await findDialect(server, answered) : undefined;
    if (found !== undefined) return found;
    problem = signedIn.error;
  }
}

function withDialect(server: KeyVerification, dialect: SavedDialect): KeyVerification {
  return { ...server, profile: { ...server.profile, dialect } };
}

function usualOf(kind: PresetName | undefined): Dialect {
  return { ...contractDialect, ...(kind && readPreset(kind)) };
}

/** What differs from the kind's ready-made dialect, or from the contract. */
function toDialect(kind: PresetName | undefined, found: Partial<Dialect>): SavedDialect {
  const usual = usualOf(kind);
  const differing = Object.entries(found).filter(
    ([part, value]) => !isDeepStrictEqual(value, usual[part as keyof Dialect]),
  );
  return { ...(kind && { extends: kind }), ...Object.fromEntries(differing) };
}
