import type { Client as ClientRecord } from '../../contract/client.ts';
import { SalonError } from '../../contract/errors.ts';
import { closest } from '../../text/closest.ts';
import { foldText } from '../../text/search-text.ts';
import type { SalonClient } from '../client.ts';
import { assertKnownNames, isBlankValue, isFields, toTags } from '../json-object.ts';
import { withUnverified } from '../pagination/consistency.ts';
import type { Page } from '../pagination/page.ts';
import type { PagedList } from '../pagination/paginate.ts';
import { type ListOptions, listOptions } from '../resources/list.ts';
import {
  assertConditions,
  type ClientConditions,
  type FieldCondition,
  findNeededTime,
  matchesVisits,
  toFieldConditions,
} from './client-conditions.ts';
import { type ClientVisits, readClientVisits } from './client-visits.ts';

export interface SelectionOptions extends ListOptions {
  /** Filters of the list itself, such as `q`, and its order. */
  readonly query?: Parameters<SalonClient['clients']['list']>[0];
  /** Whether visits are read until two passes agree, where nothing else proves that they are all. */
  readonly provesVisits?: boolean | undefined;
  /** Called while appointments are read. */
  readonly onVisits?: ((read: number, total: number | undefined) => void) | undefined;
}

/** The clients that match, page by page; a page may have no rows. */
export interface ClientSelection extends PagedList<ClientRecord> {
  /** What was noticed; known after the last page. */
  facts(): SelectionFacts;
}

export interface SelectionFacts {
  readonly matches: number;
  /** Whether more match than the limit lets through. */
  readonly hasMore: boolean;
  /** Clients not seen who have a past appointment that is still pending or confirmed. */
  readonly unmarked: number;
  /** Clients who match but for the appointments they have ahead, where those who have not been seen are wanted. */
  readonly booked: number;
  /** Clients whose value of a field cannot be read; they do not match. */
  readonly unreadable: ReadonlyMap<string, number>;
  /** Wanted tags that no client has, with a similar one. */
  readonly unknownTags: readonly { readonly tag: string; readonly similar: string | undefined }[];
}

/** Tags remembered to suggest one. */
const maxTags = 1_000;

/**
 * Lists the clients that match all conditions. Reads every appointment of the time in question first where visits
 * matter, then the clients once. Throws `usage` for unknown or empty conditions, `not_supported` if the server's
 * records do not have a field that a condition is about.
 */
export function selectClients(
  client: SalonClient,
  conditions: ClientConditions,
  options: SelectionOptions = {},
): ClientSelection {
  assertKnownNames(options, ['query', 'provesVisits', 'onVisits', ...listOptions], 'option');
  const { query, provesVisits = false, onVisits, limit, ...reading } = options;
  assertConditions(conditions, query);
  const { upcoming, notSeenSince, neverVisited } = conditions;
  const checks = toFieldConditions(conditions);
  const list = client.clients.list(query, reading);
  const shown = new Set<string>();
  const unreadable = new Map<string, number>();
  const tags = new Map<string, string>();
  let [matches, unmarked, booked, areVisitsProven, hasMore] = [0, 0, 0, true, false];

  return {
    consistency: () => withUnverified(list.consistency(), areVisitsProven ? [] : ['the appointments']),
    isSortedHere: () => list.isSortedHere?.() === true,
    facts: () => ({ matches, hasMore, unmarked, booked, unreadable, unknownTags: findUnknownTags() }),
    [Symbol.asyncIterator]: readPages,
  };

  async function* readPages(): AsyncGenerator<Page<ClientRecord>, void> {
    const time = findNeededTime(conditions);
    const visitOptions = { consistent: provesVisits, onProgress: onVisits };
    using visits = time && (await readClientVisits(client, { ...time, ...visitOptions }));
    areVisitsProven = visits?.isProven !== false;
    let read = 0;
    for await (const page of list) {
      read += page.rows.length;
      for (const row of page.rows) note(row);
      if (page.version === undefined) assertShown(page.rows.length > 0, ({ matchesBlank }) => matchesBlank);
      const found = page.rows.filter((row) => isMatch(row, visits));
      const rows = limit === undefined ? found : found.slice(0, limit - matches);
      hasMore = rows.length < found.length;
      matches += rows.length;
      if (notSeenSince !== undefined || neverVisited)
        unmarked += rows.filter((row) => visits?.find(row.id, 'unmarked') !== undefined).length;
      yield { ...page, rows, total: undefined };
      if (hasMore) return;
    }
    assertShown(read > 0, () => true);
  }

  function note(row: unknown): void {
    if (!isFields(row)) return;
    for (const { field } of checks) if (row[field] !== undefined) shown.add(field);
    if (conditions.tags === undefined || tags.size >= maxTags) return;
    for (const tag of toTags(row['tags'] ?? null) ?? []) tags.set(foldText(tag), tag);
  }

  /** Before the first page is used, a condition that blank fields match needs a record with the field. */
  function assertShown(hasRows: boolean, isWanted: (check: FieldCondition) => boolean): void {
    const missing = checks.find((check) => isWanted(check) && !shown.has(check.field));
    if (hasRows && missing !== undefined) throw noSuchField(missing.field);
  }

  function isMatch(row: unknown, visits: ClientVisits | undefined): boolean {
    if (!checks.every((check) => matchesField(row, check)) || !matchesVisits(row, conditions, visits))
      return false;
    if (upcoming === undefined || visits === undefined || !isFields(row)) return true;
    const isBooked = visits.find(row['id'], 'upcoming') !== undefined;
    if (isBooked && !upcoming && notSeenSince !== undefined) booked += 1;
    return isBooked === upcoming;
  }

  function matchesField(row: unknown, { field, matches: test, matchesBlank }: FieldCondition): boolean {
    const value = isFields(row) ? row[field] : undefined;
    if (isBlankValue(value)) return matchesBlank;
    const result = test(value);
    if (result === undefined) unreadable.set(field, (unreadable.get(field) ?? 0) + 1);
    return result === true;
  }

  function findUnknownTags(): SelectionFacts['unknownTags'] {
    const wanted = (conditions.tags ?? []).filter((tag) => !tags.has(foldText(tag)));
    return wanted.map((tag) => ({ tag, similar: closest(tag, [...tags.values()]) }));
  }
}

function noSuchField(field: string): SalonError {
  return new SalonError('not_supported', `Clients on this server have no ${field}, so nothing can match.`, {
    hint: 'Show a record: salon clients list --limit 1 --json',
  });
}
