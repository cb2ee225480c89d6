import { isDeepStrictEqual } from 'node:util';
import type { SalonError } from '../../contract/errors.ts';
import type { SalonClient } from '../client.ts';
import {
  contractDialect,
  type Dialect,
  type ListDialect,
  listParts,
  toResourceDialect,
} from '../dialect/dialect.ts';
import { type PresetName, readPreset } from '../dialect/presets.ts';
import { toServerPath } from '../dialect/record-form.ts';
import { findFieldNames, findStatusWords, hasNumericIds } from '../dialect/record-names.ts';
import { type FilterForm, type RecognisedFilters, recogniseFilters } from './recognise-filters.ts';
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

const prefixes = ['', '/api', '/v1', '/v2', '/api/v1', '/api/v2'];
const lists = ['/clients', '/clients/', '/customers', '/Clients'];
const places = [
  ...prefixes.flatMap((prefix) => lists.map((list) => [prefix, list] as const)),
  ['/index.php/api/v1', '/customers'] as const,
];

export interface ServerRecognition {
  /** What the base URL has before the prefix. */
  readonly root: string;
  /** The only kind of server that counts. */
  readonly wanted?: unknown;
  /** Where the lists are, if that is known. */
  readonly place?: Partial<Dialect> | undefined;
  /** How the lists are paged and filtered as far as that is declared, which is tried first. */
  readonly declared?: ((plural: string) => Partial<Dialect>) | undefined;
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
  { root, wanted, place, declared }: ServerRecognition,
): Promise<RecognisedServer | undefined> {
  const candidates = place === undefined ? places : toCandidates(place);
  for (const [prefix, list] of candidates) {
    const clients = await recognise('clients', root + prefix + list);
    const { found } = clients;
    if (found.kind === 'forbidden') throw found.error;
    const { preset } = found;
    const isNothing = found.kind === 'missing' || (found.kind === 'empty' && preset === undefined);
    if (isNothing || (wanted !== undefined && wanted !== preset)) continue;
    if (place === undefined) return recogniseOthers(clients, preset, toPlace(preset, prefix, list));
    const paths = place.listPath === undefined && list.endsWith('/') ? slashed : {};
    return recogniseOthers(clients, preset, { ...paths, ...place, prefix });
  }
  return undefined;

  async function recognise(
    plural: string,
    path: string,
    others?: ListDialect,
  ): Promise<RecognisedCollection> {
    const usual = { ...others, ...declared?.(plural) };
    const noun = path.split('/').findLast((segment) => segment !== '') ?? plural;
    const read = ({ query, headers }: { query: URLSearchParams; headers: Dialect['headers'] | undefined }) =>
      client.request('GET', path, { query, headers });
    return { plural, path, found: await recogniseList({ read, nouns: [plural, noun], usual }) };
  }

  async function recogniseOthers(
    clients: RecognisedCollection,
    preset: PresetName | undefined,
    place: Partial<Dialect>,
  ): Promise<RecognisedServer> {
    const usual = { ...contractDialect, ...(preset && readPreset(preset)) };
    const ofClients = listOf(clients);
    // That one list comes whole says nothing about the others.
    const shared = ofClients.paging === 'none' ? unknownPaging : ofClients;
    const dialect = { ...usual, ...place, ...shared };
    const collections = [clients];
    for (const plural of otherLists) {
      const path = root + dialect.prefix + toServerPath(`/${plural}`, dialect);
      const collection = await recognise(plural, path, ofClients);
      collections.push(collection);
    }
    const names = toNames(collections, usual);
    const filtered = await withFilters(collections, { ...dialect, ...names });
    const { filterNames, own } = joinFilterNames(filtered, usual);
    const differing = filtered
      .map((one) => [one.plural, { ...toDifference(listOf(one), dialect), ...own(one) }] as const)
      .filter(([, list]) => Object.keys(list).length > 0);
    const members = {
      ...place,
      ...shared,
      filterNames,
      ...(differing.length > 0 && { lists: Object.fromEntries(differing) }),
      ...names,
    };
    // A way of paging that is found is declared, even where it is the contract's.
    const differences = Object.entries(members).filter(
      ([part, value]) =>
        (part === 'paging' && preset === undefined) ||
        !isDeepStrictEqual(value, usual[part as keyof Dialect]),
    );
    return { preset, differences: Object.fromEntries(differences), collections: filtered };
  }

  /** Filters are asked for last, so that a server that forbids it is recognised otherwise. */
  async function withFilters(
    collections: readonly RecognisedCollection[],
    dialect: Dialect,
  ): Promise<readonly RecognisedCollection[]> {
    const denied = Object.keys(dialect.filterNames).filter((name) => dialect.filterNames[name] === null);
    let forms: readonly FilterForm[] = [];
    let error: SalonError | undefined;
    const filtered: RecognisedCollection[] = [];
    for (const collection of collections) {
      const { plural, found } = collection;
      if (!('rows' in found)) filtered.push(collection);
      else {
        const { filterStyle = dialect.filterStyle, filterNames = {} } = declared?.(plural) ?? {};
        const style = { filterStyle, filterNames: { ...dialect.filterNames, ...filterNames } };
        const own = toResourceDialect({ ...dialect, ...found.list, ...style }, plural);
        const filters = await recogniseFilters({ plural, ...found, dialect: own, denied, forms, error });
        ({ forms, error } = filters);
        filtered.push({ ...collection, filters });
      }
    }
    return filtered;
  }

  /** The parameters that lists have in common, and those of a list that has others. */
  function joinFilterNames(collections: readonly RecognisedCollection[], usual: Dialect) {
    const shown = collections.flatMap(({ filters }) => (filters === undefined ? [] : [filters.names]));
    const filterNames: Dialect['filterNames'] = Object.assign({}, usual.filterNames, ...shown.toReversed());
    const own = ({ plural, filters }: RecognisedCollection) => {
      const names = filters?.names ?? declared?.(plural).filterNames ?? {};
      const isOther = Object.entries(names).some(([name, parameter]) => filterNames[name] !== parameter);
      return isOther && { filterNames: filters === undefined ? names : { ...filterNames, ...names } };
    };
    return { filterNames, own };
  }
}

/** What the server calls fields and statuses, and how it numbers records, where the ready-made dialect does not say. */
function toNames(collections: readonly RecognisedCollection[], usual: Dialect): Partial<Dialect> {
  const { idKey } = collections.map(listOf)[0] ?? {};
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

function listOf({ found }: RecognisedCollection): ListDialect {
  return found.kind === 'recognised' || found.kind === 'unclear' ? found.list : {};
}

function toCandidates(place: Partial<Dialect>) {
  const list = toServerPath('/clients', { ...contractDialect, ...place });
  const lists = place.listPath === undefined ? [list, `${list}/`] : [list];
  const own = place.prefix === undefined ? prefixes : [place.prefix];
  return own.flatMap((prefix) => lists.map((path) => [prefix, path] as const));
}

/** Of servers that redirect addresses without a slash at the end. */
const slashed = { listPath: '/{resource}/', itemPath: '/{resource}/{id}/' };

function toPlace(preset: PresetName | undefined, prefix: string, list: string): Partial<Dialect> {
  const { resources, itemPath } = { ...contractDialect, ...(preset && readPreset(preset)) };
  const clients = list.replaceAll('/', '');
  const isUsual = clients === (resources['clients'] ?? 'clients');
  return {
    prefix,
    resources: isUsual ? resources : { ...resources, clients },
    ...(list.endsWith('/') ? slashed : { listPath: '/{resource}', itemPath }),
  };
}

/** The parts of a list that differ from those of the other lists. */
function toDifference(list: ListDialect, others: ListDialect): ListDialect {
  const parts = listParts.filter((part) => part in list && !isDeepStrictEqual(list[part], others[part]));
  return Object.fromEntries(parts.map((part) => [part, list[part]]));
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
