import type { SalonClient } from '../../client/client.ts';
import { contractDialect, type Dialect } from '../../client/dialect/dialect.ts';
import { dialectRules } from '../../client/dialect/parse-dialect.ts';
import {
  type PresetName,
  presetNames,
  presets,
  readPreset,
  recognizeList,
} from '../../client/dialect/presets.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import { type SalonError, withContext } from '../../contract/errors.ts';
import type { Messages } from '../messages/messages.ts';
import type { Prompts } from '../messages/prompts.ts';
import { isMisfit, type KeyVerification, openWithKey, type VerifiedKey, verifyKey } from './account.ts';
import type { SavedDialect } from './configured-dialect.ts';
import { isEmbedded } from './embedded.ts';

export interface SignedIn extends VerifiedKey {
  /** How the server differs: as given, detected or answered. */
  readonly dialect: SavedDialect | undefined;
}

/**
 * Verifies a key on a server that may be of another kind. Without a given dialect it is detected; where that fails, a
 * person at a terminal is asked until the server answers. Throws the error of the server otherwise.
 */
export async function signIn(asked: KeyVerification, prompts: Prompts): Promise<SignedIn> {
  const server = { ...asked, messages: withoutRepeats(asked.messages) };
  const given = server.profile.dialect;
  try {
    return { ...(await verifyKey(server)), dialect: given };
  } catch (error) {
    if (!isMisfit(error) || isEmbedded(server.baseUrl)) throw error;
    const found = isOnlyKind(given) ? await findDialect(server, given?.['extends']) : undefined;
    if (found !== undefined) return found;
    if (prompts.isInteractive) return askForDialect(server, error, prompts);
    throw withContext(error, {
      message: `No list of clients found at ${server.baseUrl}: ${error.message}`,
      hint: `Say how this server differs, with --dialect ${presetNames.join('|')}|<file.json>, or --set prefix=/api.`,
    });
  }
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

/** The path of a kind of server may still differ, and its base URL may contain it already. */
function isOnlyKind(dialect: SavedDialect | undefined): boolean {
  return Object.keys(dialect ?? {}).every((member) => member === 'extends');
}

async function findDialect(server: KeyVerification, kind: unknown): Promise<SignedIn | undefined> {
  await using connection = await openWithKey(withDialect(server, { prefix: '' }), { retries: '0' });
  for await (const { dialect, path } of detectDialects(
    connection.client,
    parseBaseUrl(server.baseUrl).root,
  )) {
    if (kind !== undefined && kind !== dialect['extends']) continue;
    const signedIn = await tryDialect(server, dialect);
    if ('error' in signedIn) continue;
    const found = `found its clients at ${path}`;
    const { extends: name } = dialect;
    server.messages.info(
      name === undefined ? `On this server, ${found}.` : `A server like ${name}: ${found}.`,
    );
    return signedIn;
  }
  return undefined;
}

async function tryDialect(
  server: KeyVerification,
  dialect: SavedDialect,
): Promise<SignedIn | { readonly error: SalonError }> {
  try {
    return { ...(await verifyKey(withDialect(server, dialect))), dialect };
  } catch (error) {
    if (!isMisfit(error)) throw error;
    return { error };
  }
}

const anotherKind = 'another kind';

async function askForDialect(
  server: KeyVerification,
  first: SalonError,
  prompts: Prompts,
): Promise<SignedIn> {
  let problem = first;
  for (;;) {
    server.messages.info(`This server does not answer like the documented API: ${problem.message}`);
    const presetOf = (kind: string) => presets[kind as PresetName] as Partial<Dialect> | undefined;
    const usualOf = (kind = '') => ({ ...contractDialect, ...presetOf(kind) });
    const { kind, prefix, clients } = await prompts.inTurn(async () => {
      const kind = await prompts.choose('What kind of server is it?', [...presetNames, anotherKind]);
      const prefix = await prompts.text('Path before every resource, such as /api/v1; / for none', {
        suggestion: usualOf(kind).prefix || '/',
        validate: (answer) =>
          answer === '/' || dialectRules.prefix.parse(answer) !== undefined
            ? undefined
            : `Type ${dialectRules.prefix.expected}.`,
      });
      const clients = await prompts.text('Its name for clients', {
        suggestion: usualOf(kind).resources['clients'] ?? 'clients',
        validate: (answer) =>
          dialectRules.resources.parse({ clients: answer }) ? undefined : 'Type a name such as customers.',
      });
      return { kind, prefix, clients };
    });
    const [preset, usual] = [presetOf(kind), usualOf(kind)];
    const answered = {
      ...(preset === undefined ? {} : { extends: kind }),
      ...(prefix === (usual.prefix || '/') ? {} : { prefix: prefix === '/' ? '' : prefix }),
      ...(clients === (usual.resources['clients'] ?? 'clients')
        ? {}
        : { resources: { ...usual.resources, clients } }),
    };
    const signedIn = await tryDialect(server, answered);
    if (!('error' in signedIn)) return signedIn;
    problem = signedIn.error;
  }
}

function withDialect(server: KeyVerification, dialect: SavedDialect): KeyVerification {
  return { ...server, profile: { ...server.profile, dialect } };
}

interface DetectedServer {
  readonly dialect: SavedDialect;
  /** Where its list of clients is. */
  readonly path: string;
}

const prefixes = ['', '/api', '/v1', '/v2', '/api/v1', '/api/v2'];
const lists = ['/clients', '/clients/', '/customers', '/Clients'];

/**
 * Looks for the list of clients at the usual places and recognises the kind of server by its form. Yields every place
 * that has a list. Only reads, one request per place. Stops at errors that no other path would mend.
 */
async function* detectDialects(client: SalonClient, root: string): AsyncGenerator<DetectedServer> {
  for (const prefix of prefixes) {
    for (const list of lists) {
      const path = root + prefix + list;
      const kind = await probe(client, path);
      if (kind !== undefined) yield { path, dialect: toDialect(kind, prefix, list) };
    }
  }
}

async function probe(client: SalonClient, path: string) {
  try {
    return recognizeList(await client.request('GET', path));
  } catch (error) {
    if (!isMisfit(error)) throw error;
    return undefined;
  }
}

/** What differs from the kind's ready-made dialect, or from the contract. */
function toDialect(kind: ReturnType<typeof recognizeList>, prefix: string, list: string): SavedDialect {
  const preset = kind === undefined || kind === 'unknown' ? undefined : kind;
  const usual = { ...contractDialect, ...(preset === undefined ? {} : readPreset(preset)) };
  const resource = list.replaceAll('/', '');
  const slash = list.endsWith('/') ? '/' : '';
  const found = {
    prefix,
    resources: resource === 'clients' ? {} : { ...usual.resources, clients: resource },
    listPath: `/{resource}${slash}`,
    itemPath: slash === '' ? usual.itemPath : `/{resource}/{id}${slash}`,
  };
  const isUsual = {
    prefix: prefix === usual.prefix,
    resources: resource === (usual.resources['clients'] ?? 'clients'),
    listPath: found.listPath === usual.listPath,
    itemPath: found.itemPath === usual.itemPath,
  };
  const differing = Object.entries(found).filter(([part]) => !isUsual[part as keyof typeof isUsual]);
  return { ...(preset === undefined ? {} : { extends: preset }), ...Object.fromEntries(differing) };
}
