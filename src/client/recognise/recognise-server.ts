import type { SalonClient } from '../client.ts';
import {
  contractDialect,
  type Dialect,
  type ListDialect,
  pickParts,
  placeParts,
  toResourceDialect,
} from '../dialect/dialect.ts';
import { nameClients, omitUsual, type PresetName, presets, toFullDialect } from '../dialect/presets.ts';
import { toServerPath } from '../dialect/record-form.ts';
import { findFieldNames, findStatusWords, hasNumericIds } from '../dialect/record-names.ts';
import { type RecognisedFilters, recogniseFilters } from './recognise-filters.ts';
import { type RecognisedList, recogniseList, unknownPaging } from './recognise-list.ts';

/** What was found out about one of the contract's lists. */
export interface RecognisedCollection {
  readonly plural: string;
  readonly path: string;
  readonly found: RecognisedList;
  /** Of a list that has rows. */
  readonly filters?: RecognisedFilters | undefined;
}

export interface RecognisedServer {
  readonly preset: PresetName | undefined;
  /** What differs from the ready-made dialect, or from the contract. */
  readonly differences: Partial<Dialect>;
  readonly collections: readonly RecognisedCollection[];
}

const usualPrefixes = ['', '/api', '/v1', '/v2', '/api/v1', '/api/v2'];
const kinds = Object.values(presets);
const prefixes = [...new Set([...usualPrefixes, ...kinds.map(({ prefix = '' }) => prefix)])];
const clientNames = new Set(kinds.flatMap(({ resources }) => resources?.['clients'] ?? []));
/** The paths of servers that redirect addresses without a slash at the end. */
const slashed = { listPath: '/{resource}/', itemPath: '/{resource}/{id}/' };
const addresses: readonly Partial<Dialect>[] = [
  {},
  slashed,
  ...[...clientNames].map((clients) => ({ resources: { clients } })),
];

export interface ServerRecognition {
  /** What the base URL has before the prefix. */
  readonly root: string;
  /** The only kind of server that counts. */
  readonly wanted?: unknown;
  /** What is declared: where the lists are, and ways to page and filter that are tried first. */
  readonly known?: Partial<Dialect>;
}

/** The lists that are looked at after that of the clients. */
const otherLists = ['appointments', 'stylists', 'payments', 'services'];

/**
 * Looks for the list of clients at the usual places, and finds out how this list and the others are paged. Sends GET
 * requests alone, at most 12 a list. Undefined if there is none, or if it is empty and of no known kind. Stops at errors
 * that no other path would mend, but passes over other lists that the key may not read. The client has no prefix.
 */
export async function recogniseServer(
  client: Pick<SalonClient, 'request'>,
  { root, wanted, known = {} }: ServerRecognition,
): Promise<RecognisedServer | undefined> {
  for (const [path, [place = {}]] of Map.groupBy(listPlaces(known), (one) => toPath('clients', one))) {
    const clients = await recognise('clients', path);
    const { found } = clients;
    if (found.kind === 'forbidden') throw found.error;
    const { preset } = found;
    const isNothing = found.kind === 'missing' || (found.kind === 'empty' && preset === undefined);
    if (!isNothing && (wanted === undefined || wanted === preset))
      return recogniseOthers(clients, preset, place);
  }
  return undefined;

  function knownOf(plural: string): Partial<Dialect> {
    return { ...known, ...known.lists?.[plural] };
  }

  function toPath(plural: string, place: Partial<Dialect>): string {
    const dialect = { ...contractDialect, ...place };
    return root + dialect.prefix + toServerPath(`/${plural}`, dialect);
  }

  async function recognise(
    plural: string,
    path: string,
    others?: ListDialect,
  ): Promise<RecognisedCollection> {
    const usual = { ...others, ...knownOf(plural) };
    const noun = path.split('/').findLast((segment) => segment !== '') ?? plural;
    const read = ({ query, headers }: { query: URLSearchParams; headers: Dialect['headers'] | undefined }) =>
      client.request('GET', path, { query, headers });
    return { plural, path, found: await recogniseList({ read, nouns: [plural, noun], usual }) };
  }

  async function recogniseOthers(
    clients: RecognisedCollection,
    preset: PresetName | undefined,
    at: Partial<Dialect>,
  ): Promise<RecognisedServer> {
    const usual = toFullDialect(preset);
    const ofClients = listOf(clients.found);
    // That one list comes whole says nothing about the others.
    const shared = ofClients.paging === 'none' ? unknownPaging : ofClients;
    const place = {
      listPath: '/{resource}',
      ...at,
      resources: known.resources ?? nameClients(usual, at.resources?.['clients']),
    };
    const dialect = { ...usual, ...place, ...shared };
    const collections = [clients];
    for (const plural of otherLists)
      collections.push(await recognise(plural, toPath(plural, dialect), ofClients));
    const names = toNames(collections, usual);
    const filtered = await withFilters(collections, { ...dialect, ...names });
    const shown = filtered.map(({ filters }) => filters?.names);
    const filterNames: Dialect['filterNames'] = Object.assign({}, usual.filterNames, ...shown.toReversed());
    const differing = filtered
      .map(({ plural, found, filters }) => {
        const joined = { ...filterNames, ...(filters?.names ?? known.filterNames) };
        const declared = filters === undefined ? known.lists?.[plural]?.filterNames : undefined;
        const list = { ...listOf(found), filterNames: declared ?? joined };
        return [plural, omitUsual(list, { ...dialect, filterNames })] as const;
      })
      .filter(([, list]) => Object.keys(list).length > 0);
    const differences = omitUsual({ ...place, ...shared, filterNames, ...names }, usual);
    return {
      preset,
      differences: {
        // A way of paging that is found is declared, even where it is the contract's.
        ...(preset === undefined && { paging: shared.paging }),
        ...differences,
        ...(differing.length > 0 && { lists: Object.fromEntries(differing) }),
      },
      collections: filtered,
    };
  }

  /** Filters are asked for last, so that a server that forbids it is recognised otherwise. */
  async function withFilters(
    collections: readonly RecognisedCollection[],
    dialect: Dialect,
  ): Promise<readonly RecognisedCollection[]> {
    const denied = Object.keys(dialect.filterNames).filter((name) => dialect.filterNames[name] === null);
    let before: RecognisedFilters | undefined;
    const filtered: RecognisedCollection[] = [];
    for (const { plural, path, found } of collections) {
      let filters: RecognisedFilters | undefined;
      if ('rows' in found) {
        const { filterStyle = dialect.filterStyle, filterNames } = knownOf(plural);
        const style = { filterStyle, filterNames: { ...dialect.filterNames, ...filterNames } };
        const own = toResourceDialect({ ...dialect, ...found.list, ...style }, plural);
        filters = await recogniseFilters({ plural, ...found, dialect: own, denied, before });
        before = filters;
      }
      filtered.push({ plural, path, found, filters });
    }
    return filtered;
  }
}

/** Where the lists may be: as declared, or else at the usual places. */
function listPlaces(known: Partial<Dialect>): readonly Partial<Dialect>[] {
  const place = pickParts(known, placeParts);
  const own = known.prefix === undefined ? prefixes : [known.prefix];
  return own.flatMap((prefix) => addresses.map((address) => ({ ...address, ...place, prefix })));
}

/** What the server calls fields and statuses, and how it numbers records, where the ready-made dialect does not say. */
function toNames(collections: readonly RecognisedCollection[], usual: Dialect): Partial<Dialect> {
  const { idKey } = listOf(collections[0]?.found);
  const shown = collections.map(({ plural, found }) => [plural, 'rows' in found ? found.rows : []] as const);
  const fields = shown
    .filter(([plural]) => !Object.hasOwn(usual.fields, plural))
    .map(([plural, rows]) => [plural, findFieldNames(plural, rows)] as const)
    .filter(([, names]) => Object.keys(names).length > 0);
  const appointments = shown.find(([plural]) => plural === 'appointments')?.[1] ?? [];
  const statuses = Object.keys(usual.statuses).length > 0 ? {} : findStatusWords(appointments);
  return {
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
    ...(Object.keys(statuses).length > 0 && { statuses }),
    ...(hasNumericIds(shown[0]?.[1] ?? [], idKey) && { numericIds: true }),
  };
}

function listOf(found: RecognisedList | undefined): ListDialect {
  return found !== undefined && 'list' in found ? found.list : {};
}

/** How a list is paged and filtered, in words. */
export function describeCollection({ filters, ...collection }: RecognisedCollection): string {
  const { served = [], names = {}, unclear = [], error } = filters ?? {};
  const here = Object.keys(names).filter((name) => names[name] === null);
  return [
    describePaging(collection),
    served.length > 0 && `It filters by ${served.join(', ')}.`,
    here.length > 0 && `Rows are filtered here by ${here.join(', ')}.`,
    unclear.length > 0 && `Nothing shows whether it filters by ${unclear.join(', ')}.`,
    error && `No more was asked about filters: ${error.message}`,
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ');
}

function describePaging({ plural, path, found }: RecognisedCollection): string {
  if (found.kind === 'missing') return `No ${plural} at ${path}.`;
  if (found.kind === 'forbidden')
    return `This key may not read the ${plural} at ${path}: ${found.error.message}`;
  if (found.kind === 'empty')
    return `The list of ${plural} at ${path} is empty: nothing shows how it is paged.`;
  const seen = `${found.rows.length} ${plural} at ${path}`;
  if (found.kind === 'unclear') {
    const setting = plural === 'clients' ? 'paging' : `lists.${plural}.paging`;
    return `${seen}: nothing shows how to read more, or that these are all. The list is refused until it is set: "salon profiles set <profile> ${setting} <style>" (docs/other-servers.md).`;
  }
  const { paging, pageParameter, perPageParameter } = found.list;
  if (paging === undefined) return `${seen}, paged as ${found.preset} documents it.`;
  if (paging === 'unknown') return `${seen}: too few to show how they are paged.`;
  if (paging === 'none') return `${seen}, in one page.`;
  const parameters = [pageParameter, perPageParameter].filter((name) => name !== null && name !== undefined);
  return `${seen}, paged by ${[paging, ...parameters].join(', ')}.`;
}
