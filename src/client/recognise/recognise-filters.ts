import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { dayMs, parseInstant, toUtcText } from '../../time/time.ts';
import type { Dialect, ResourceDialect } from '../dialect/dialect.ts';
import type { ListResponse } from '../foreign/list-response.ts';
import type { Fields } from '../json-object.ts';
import { createFilterChecks } from '../pagination/filter-check.ts';
import { comparisonOf, type PageAddress, toFilterParameters } from '../pagination/list-query.ts';
import { keyOf } from '../pagination/page.ts';
import { noRequestLeft } from './recognise-list.ts';

/** What was found out about the filters of a list. */
export interface RecognisedFilters {
  /** The server's parameter for a filter; null if it filters by none that was tried. Where nothing shows it: as declared, or missing. */
  readonly names: Dialect['filterNames'];
  /** Filters that the server has, also as the style of its dialect writes them. */
  readonly served: readonly string[];
  readonly unclear: readonly string[];
  /** Why nothing more was asked. */
  readonly error: SalonError | undefined;
  /** The forms that this list and those before have left, if any has shown one. */
  readonly forms: readonly FilterForm[] | undefined;
}

/** How servers name the parameters that compare a field: with one value, and from one, where `lt` is up to one. */
type FilterForm = readonly [equal: string, range: string];

const filterForms: readonly FilterForm[] = [
  ['{name}', '{name}'],
  ['{field}', '{field}__gte'],
  ['{field}', '{field}[$gte]'],
  ['{field}', '{field}_gte'],
  ['{field}', '{field}:gte'],
  ['{field}', '{field}[gte]'],
  ['filter[{name}]', 'filter[{name}]'],
  ['filter[where][{field}]', 'filter[where][{field}][gte]'],
  ['filters[{field}][$eq]', 'filters[{field}][$gte]'],
];

/** What parameters for pages look like where filters are like these. */
const signs: readonly (readonly [pageParameter: RegExp, range: RegExp])[] = [
  [/^\$/, /^\{field}\[\$/],
  [/^_/, /[^_][_:]gte$/],
  [/^filter\[/, /^filter\[where/],
  [/^pagination\[/, /^filters\[/],
];

const searchNames = ['q', 'search', '_q'];

const lists: Readonly<Record<string, { readonly query?: object }>> = {
  clients: endpoints.listClients,
  appointments: endpoints.listAppointments,
  stylists: endpoints.listStylists,
  payments: endpoints.listPayments,
  services: endpoints.listServices,
};

interface FilterRecognition {
  readonly plural: string;
  /** The first page without any parameter, as sent. */
  readonly rows: readonly Fields[];
  readonly dialect: ResourceDialect;
  readonly readPage: (address: PageAddress) => Promise<ListResponse | SalonError>;
  /** Filters that the documentation of the server denies. */
  readonly denied: readonly string[];
  /** What the list before has shown. */
  readonly before: Pick<RecognisedFilters, 'forms' | 'error'> | undefined;
}

/**
 * Finds out by which filters a server narrows a list down. A filter counts if an answer has all the known rows that match,
 * and none that does not; an empty one proves nothing. Stops at the first error of the server that is about more than a
 * parameter.
 */
export async function recogniseFilters(of: FilterRecognition): Promise<RecognisedFilters> {
  const { plural, dialect, readPage, denied } = of;
  const { pageParameter, filterNames, filterStyle, map } = dialect;
  const toRow = (row: Fields) => map?.read(row) ?? row;
  const known = of.rows.map((row) => ({ key: keyOf(row), row: toRow(row) }));
  const names: Record<string, string | null> = {};
  const served: string[] = [];
  const unclear: string[] = [];
  let { forms = filterForms, error } = of.before ?? {};
  let isProven = of.before?.forms !== undefined;
  for (const filter of filtersOf(plural)) {
    if (denied.includes(filter)) continue;
    const found = error === undefined ? await find(filter).catch(stop) : undefined;
    if (found) served.push(filter);
    else if (found === undefined && filterNames[filter] !== null) unclear.push(filter);
    const isWritten = found === null || filterStyle === 'plain';
    const name = found !== undefined && isWritten ? found : filterNames[filter];
    if (name !== undefined) names[filter] = name;
  }
  return { names, served, unclear, error, forms: isProven ? forms : undefined };

  function stop(thrown: unknown): undefined {
    if (!(thrown instanceof SalonError)) throw thrown;
    error = thrown;
  }

  /** The parameter that the server filters by; null if there is none, undefined if nothing shows it. */
  async function find(filter: string): Promise<string | null | undefined> {
    const probe = findProbe(filter, known);
    if (probe === undefined) return undefined;
    const [first = '', ...others] = candidatesFor(probe);
    const isPlain = filterStyle === 'plain';
    const atFirst = await ask(probe, isPlain ? [first] : undefined);
    if (atFirst === 'filtered') return learn(probe, first);
    if (atFirst === 'unasked') return undefined;
    if (!isPlain || others.length === 0) return null;
    // Together, where what a server does not know changes nothing.
    const atOnce = atFirst === 'ignored' ? await ask(probe, others) : 'other';
    for (const name of atOnce === 'ignored' ? [] : others) {
      const result = await ask(probe, [name]);
      if (result === 'filtered') return learn(probe, name);
      if (result === 'unasked') return undefined;
    }
    // What compares no time of one field compares that of no other.
    if (isRange(probe.filter)) forms = forms.slice(0, 1);
    return null;
  }

  function candidatesFor(probe: Probe): readonly string[] {
    const declared = filterNames[probe.filter] ?? [];
    const [, range = /^$/] = signs.find(([sign]) => sign.test(pageParameter ?? '')) ?? [];
    const ordered = forms.toSorted((one, other) => Number(range.test(other[1])) - Number(range.test(one[1])));
    const usual = probe.filter === 'q' ? searchNames : ordered.map((form) => toParameter(form, probe));
    return [...new Set([declared, usual].flat())];
  }

  function learn(probe: Probe, name: string): string {
    const fitting = forms.filter((form) => toParameter(form, probe) === name);
    isProven ||= probe.filter !== 'q';
    if (fitting.length > 0) forms = fitting;
    return name;
  }

  function toParameter([equal, range]: FilterForm, { filter }: Probe): string {
    const { field, operator } = comparisonOf(filter, dialect);
    return (isRange(filter) ? range : equal)
      .replace('gte', operator === 'lt' ? 'lt' : 'gte')
      .replace('{name}', filter)
      .replace('{field}', field);
  }

  /** Asks under these names at once, or as the style of the dialect writes it. */
  async function ask(probe: Probe, as?: readonly string[]) {
    const query = new URLSearchParams();
    for (const name of as ?? [undefined]) {
      const named = name === undefined ? dialect : { ...dialect, filterNames: { [probe.filter]: name } };
      for (const parameter of Object.entries(toFilterParameters({ [probe.filter]: probe.value }, named)))
        query.set(...parameter);
    }
    const page = await readPage({ query, headers: undefined });
    if (page === noRequestLeft) return 'unasked';
    if (page instanceof SalonError) return 'other';
    const keys = new Set(page.rows.map(keyOf));
    if (!probe.matching.every((key) => keys.has(key))) return 'other';
    if (page.rows.every((row) => probe.matches(toRow(row)))) return 'filtered';
    return probe.others.every((key) => keys.has(key)) ? 'ignored' : 'other';
  }
}

/** The contract's filters of a list; a search, whose parameter says nothing about the others, comes last. */
function filtersOf(plural: string): readonly string[] {
  const { properties = {} } = Object(lists[plural]?.query);
  const names = Object.keys(properties).filter((name) => createFilterChecks({ [name]: '' }).length > 0);
  return names.toSorted((one, other) => Number(one === 'q') - Number(other === 'q'));
}

interface KnownRow {
  readonly key: string;
  readonly row: unknown;
}

/** A value of a filter that some known rows match and others do not. */
interface Probe {
  readonly filter: string;
  readonly value: string;
  readonly matches: (row: unknown) => boolean;
  /** Keys of the known rows that match, and of those that do not. */
  readonly matching: readonly string[];
  readonly others: readonly string[];
}

/** The most distinct values of a filter to choose from. */
const maxValues = 50;

/** Undefined where no value tells the known rows apart. */
function findProbe(filter: string, known: readonly KnownRow[]): Probe | undefined {
  const values = [...new Set(known.flatMap(({ row }) => toValue(filter, row) ?? []))].slice(0, maxValues);
  const probes = (isRange(filter) ? findBound(filter, known) : values).flatMap((value) => {
    const [check] = createFilterChecks({ [filter]: value });
    if (check === undefined) return [];
    const matches = (row: unknown) => check.matches(row) === true;
    const [matching, others] = [true, false].map((is) =>
      known.filter(({ row }) => matches(row) === is).map(({ key }) => key),
    ) as [string[], string[]];
    return matching.length > 0 && others.length > 0 ? [{ filter, value, matches, matching, others }] : [];
  });
  return probes.toSorted((one, other) => one.matching.length - other.matching.length)[0];
}

/** What a row has in the field of a filter; for a search one word of the name, as a person types it. */
function toValue(filter: string, row: unknown): string | undefined {
  if (filter !== 'q') return toIdText(Object(row)[filter]);
  const word = createFilterChecks({ q: 'a' })[0]?.toFind(row);
  return word !== undefined && /^\p{Ll}{3,}$/u.test(word) ? word : undefined;
}

function isRange(filter: string): boolean {
  return ['ge', 'lt'].includes(comparisonOf(filter, {}).operator);
}

/**
 * The time of a row that closely follows another one, on one day of UTC: a server that compares days, or times of
 * several zones as text, does not tell these two apart.
 */
function findBound(filter: string, known: readonly KnownRow[]): readonly string[] {
  const { field, operator } = comparisonOf(filter, {});
  const times = known
    .map(({ row }) => Object(row)[field])
    .flatMap((text) => (/(?:Z|\+00:?00)$/.test(String(text)) ? (parseInstant(String(text))?.ms ?? []) : []))
    .toSorted((one, other) => one - other);
  const toDay = (ms = 0) => Math.floor(ms / dayMs);
  const [nearest] = times
    .map((ms, index) => ({ ms, gap: ms - (times[index - 1] ?? 0), day: toDay(times[index - 1]) }))
    .filter(({ ms, gap, day }) => gap >= 2_000 && day === toDay(ms))
    .toSorted((one, other) => one.gap - other.gap);
  if (nearest === undefined) return [];
  // A list asks for a second more, as `createFilterChecks` says.
  const second = Math.floor(nearest.ms / 1_000) - (operator === 'ge' ? 1 : 0);
  return [toUtcText(second * 1_000)];
}
