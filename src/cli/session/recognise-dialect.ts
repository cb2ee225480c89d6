import type { SalonClient } from '../../client/client.ts';
import type { Dialect } from '../../client/dialect/dialect.ts';
import { parseBaseUrl } from '../../client/http/request-path.ts';
import type { Messages } from '../messages/messages.ts';
import type { SavedDialect } from './configured-dialect.ts';

/** Where the lists of a server are, and how to reach them: what is found out does not replace it. */
const placeParts = ['prefix', 'headers', 'resources', 'listPath', 'itemPath'] as const;

/** The place that a dialect declares; undefined if it leaves open where the lists are. */
export function placeOf(dialect: Partial<Dialect>): Partial<Dialect> | undefined {
  const place = placeParts.flatMap((part) => (dialect[part] === undefined ? [] : [[part, dialect[part]]]));
  return place.some(([part]) => part !== 'headers') ? Object.fromEntries(place) : undefined;
}

/** Whether a dialect declares nothing but a kind of server and a place, so that the rest can be found out. */
export function isPlaceAlone(dialect: SavedDialect | undefined): boolean {
  return Object.keys(dialect ?? {}).every((part) => ['extends', ...placeParts].includes(part));
}

interface DialectSearch {
  readonly baseUrl: string;
  readonly messages: Messages;
  /** Opens a connection that adds no prefix. */
  readonly connect: () => Promise<{ readonly client: SalonClient } & AsyncDisposable>;
  /** The only kind of server that counts. */
  readonly wanted?: unknown;
  /** Where the lists are, if that is known. */
  readonly place?: Partial<Dialect> | undefined;
}

/** The dialect of a server as its lists show it, which is reported; undefined if none shows one. Only reads. */
export async function recogniseDialect(search: DialectSearch): Promise<SavedDialect | undefined> {
  const { baseUrl, messages, connect, wanted, place } = search;
  const { describeCollection, recogniseServer } = await import('../../client/recognise/recognise-server.ts');
  await using connection = await connect();
  const { root } = parseBaseUrl(baseUrl);
  const recognised = await recogniseServer(connection.client, { root, wanted, place });
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
