import { type Dialect, dialectRules, placeParts } from '../../client/dialect/dialect.ts';
import { nameClients, omitUsual, presetNames, toFullDialect } from '../../client/dialect/presets.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import { type SalonError, withContext } from '../../contract/errors.ts';
import type { Messages } from '../messages/messages.ts';
import { isDialectMismatch, readIdentity } from '../session/account.ts';
import { parseSavedDialect, type SavedDialect } from '../session/change-setting.ts';
import type { CommandContext } from '../session/command-context.ts';
import { openSalonConnection } from '../session/connection.ts';
import { isEmbedded } from '../session/embedded.ts';
import { readKnownSalon } from '../session/known-salon.ts';
import type { SessionContext } from '../session/network.ts';
import type { Profile } from '../session/profile.ts';
import { createUnsavedSession, requireBaseUrl } from '../session/session.ts';

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
    return await verifyKey(server);
  } catch (error) {
    if (!isDialectMismatch(error) || isEmbedded(server.profile.base_url)) throw error;
    const found = await findDialect(server, given);
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

/**
 * Finds the dialect of the server, unless more than a kind of server and a place is given, and verifies the key with it. Stops
 * at errors that no other path would mend.
 */
async function findDialect(server: KeyVerification, given: SavedDialect = {}): Promise<SignedIn | undefined> {
  const { extends: wanted, ...known } = given;
  if (!Object.keys(known).every((part) => placeParts.some((one) => one === part))) return undefined;
  const found = await recogniseDialect(toUnsavedContext(server), known, wanted);
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
      const usual = toFullDialect(kind);
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
    const place = { prefix: prefix === '/' ? '' : prefix, resources: nameClients(usual, clients) };
    const answered = { ...(kind && { extends: kind }), ...omitUsual(place, usual) };
    const signedIn = await tryDialect(server, answered);
    if ('verified' in signedIn) return signedIn.verified;
    const found = await findDialect(server, answered);
    if (found !== undefined) return found;
    problem = signedIn.error;
  }
}

/**
 * The dialect of a server as its lists show it, which is reported; undefined if none shows one. Only reads, each list
 * once.
 */
export async function recogniseDialect(
  context: SessionContext & { readonly showsCurl?: boolean },
  known: Partial<Dialect>,
  wanted?: unknown,
): Promise<SavedDialect | undefined> {
  const { session, messages } = context;
  const { describeCollection, recogniseServer } = await import('../../client/recognise/recognise-server.ts');
  const settings = { ...session.settings, retries: { value: 0, source: 'flag' } as const };
  const { headers = {} } = known;
  await using connection = await openSalonConnection({
    ...context,
    session: { ...session, settings, dialect: { headers, prefix: '' } },
  });
  const { root } = parseBaseUrl(requireBaseUrl(session));
  const recognised = await recogniseServer(connection.client, { root, known, wanted });
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
