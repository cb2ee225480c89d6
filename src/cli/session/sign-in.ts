import { isDeepStrictEqual } from 'node:util';
import { contractDialect, type Dialect, declaresServer, dialectRules } from '../../client/dialect/dialect.ts';
import { type PresetName, presetNames, readPreset } from '../../client/dialect/presets.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import type { ServerRecognition } from '../../client/recognise/recognise-server.ts';
import { type SalonError, withContext } from '../../contract/errors.ts';
import type { Messages } from '../messages/messages.ts';
import { isDialectMismatch, readIdentity } from './account.ts';
import { parseSavedDialect, type SavedDialect } from './change-setting.ts';
import type { CommandContext } from './command-context.ts';
import { openSalonConnection } from './connection.ts';
import { isEmbedded } from './embedded.ts';
import { readKnownSalon } from './known-salon.ts';
import type { SessionContext } from './network.ts';
import type { Profile } from './profile.ts';
import { createUnsavedSession, requireBaseUrl } from './session.ts';

/** A key that is not saved yet, and the profile that it is for. */
interface KeyVerification extends Pick<CommandContext, 'io' | 'messages' | 'flags' | 'prompts'> {
  readonly key: string;
  readonly profile: Profile;
}

/** What the server says about a key; undefined where it does not. */
type SignedIn = Awaited<ReturnType<typeof verifyKey>>;

/**
 * Verifies a key on a server that may be of another kind. Without a given dialect it is detected; where that fails, a
 * person at a terminal is asked until the server answers. Throws the error of the server otherwise.
 */
export async function signIn(asked: KeyVerification): Promise<SignedIn> {
  const server = { ...asked, messages: withoutRepeats(asked.messages) };
  const given = server.profile.dialect;
  try {
    const verified = await verifyKey(server);
    // A server whose lists have other names is one of another kind, whose paging is to be found out, too.
    const isOpen = isPlaceAlone(given) && given?.['extends'] === undefined;
    const isFound = isOpen && declaresServer(parseSavedDialect(given ?? {}));
    return (isFound ? await findDialect(server, given) : undefined) ?? verified;
  } catch (error) {
    if (!isDialectMismatch(error) || isEmbedded(server.profile.base_url)) throw error;
    const found = isPlaceAlone(given) ? await findDialect(server, given) : undefined;
    if (found !== undefined) return found;
    if (server.prompts.isInteractive) return askForDialect(server, error);
    throw withContext(error, {
      message: `No list of clients found at ${server.profile.base_url}: ${error.message}`,
      hint: `Say how this server differs, with --dialect ${presetNames.join('|')}|<file.json>, or --set prefix=/api.`,
    });
  }
}

/** Verifies a key. Throws when it is refused. */
export async function verifyKey(server: Omit<KeyVerification, 'prompts'>) {
  await using connection = await openSalonConnection(toUnsavedContext(server));
  const { account, person } = (await readIdentity(connection.client)) ?? {};
  const salon = account === undefined ? undefined : await readKnownSalon(connection.client);
  return { account, person, salon, dialect: server.profile.dialect };
}

/** How the server is reached with the key and the dialect of the profile, but not that of the environment. */
function toUnsavedContext({ key, profile, io, messages, flags }: Omit<KeyVerification, 'prompts'>) {
  const session = createUnsavedSession(profile, { flags, io, key });
  const dialect = parseSavedDialect(profile.dialect ?? {});
  return { session: { ...session, dialect }, io, messages, showsCurl: flags.curl === true };
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

/** Finds the dialect of the server, and verifies the key with it. Stops at errors that no other path would mend. */
async function findDialect(server: KeyVerification, given: SavedDialect = {}): Promise<SignedIn | undefined> {
  const { extends: wanted, ...place } = given;
  const found = await recogniseDialect(toUnsavedContext(server), place, { wanted });
  const signedIn = found && (await tryDialect(server, found));
  return signedIn && 'verified' in signedIn ? signedIn.verified : undefined;
}

async function tryDialect(
  server: KeyVerification,
  dialect: SavedDialect,
): Promise<{ readonly verified: SignedIn } | { readonly error: SalonError }> {
  try {
    return { verified: await verifyKey({ ...server, profile: { ...server.profile, dialect } }) };
  } catch (error) {
    if (!isDialectMismatch(error)) throw error;
    return { error };
  }
}

async function askForDialect(server: KeyVerification, first: SalonError) {
  const { prompts } = server;
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
    if ('verified' in signedIn) return signedIn.verified;
    const found = isPlaceAlone(answered) ? await findDialect(server, answered) : undefined;
    if (found !== undefined) return found;
    problem = signedIn.error;
  }
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

/** Where the lists of a server are, and how to reach them: what is found out does not replace it. */
const placeParts = ['prefix', 'headers', 'resources', 'listPath', 'itemPath'] as const;

/** The place that a dialect declares; undefined if it leaves open where the lists are. */
export function placeOf(dialect: Partial<Dialect>): Partial<Dialect> | undefined {
  const place = placeParts.flatMap((part) => (dialect[part] === undefined ? [] : [[part, dialect[part]]]));
  return place.some(([part]) => part !== 'headers') ? Object.fromEntries(place) : undefined;
}

/** Whether a dialect declares nothing but a kind of server and a place, so that the rest can be found out. */
function isPlaceAlone(dialect: SavedDialect | undefined): boolean {
  return Object.keys(dialect ?? {}).every((part) => ['extends', ...placeParts].includes(part));
}

/**
 * The dialect of a server as its lists show it, which is reported; undefined if none shows one. Only reads, each list
 * once.
 */
export async function recogniseDialect(
  context: SessionContext & { readonly showsCurl?: boolean },
  known: Partial<Dialect>,
  search: Pick<ServerRecognition, 'wanted' | 'declared'>,
): Promise<SavedDialect | undefined> {
  const { session, messages } = context;
  const { describeCollection, recogniseServer } = await import('../../client/recognise/recognise-server.ts');
  const settings = { ...session.settings, retries: { value: 0, source: 'flag' } as const };
  const dialect = { ...known, prefix: '' };
  await using connection = await openSalonConnection({
    ...context,
    session: { ...session, settings, dialect },
  });
  const { root } = parseBaseUrl(requireBaseUrl(session));
  const recognised = await recogniseServer(connection.client, { root, place: placeOf(known), ...search });
  if (recognised === undefined) return undefined;
  const { preset, differences, collections } = recognised;
  if (preset !== undefined) messages.info(`This server answers like ${preset}.`);
  for (const collection of collections) {
    const text = describeCollection(collection);
    if (collection.found.kind === 'unclear') messages.warn(text);
    else messages.info(text);
  }
  return { ...(preset && { extends: preset }), ...differences };
}
