import { isJsonNumber } from '../../text/json.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ApiResponse } from '../http/decode.ts';
import { isFields, readPath } from '../json-object.ts';
import { parseLinks, type ResponseHeaders, readHeader } from '../response-headers.ts';
import type { ListMetadata, Metadata } from './list-metadata.ts';

/** What a response says about the rows after its own. `name`: the member or header that says so. */
export type Continuation =
  | { readonly kind: 'link'; readonly name: string; readonly link: string }
  /** `parameter`: where the response names it, too. */
  | { readonly kind: 'cursor'; readonly name: string; readonly cursor: string; readonly parameter?: string }
  | { readonly kind: 'page'; readonly name: string; readonly page: number }
  /** There is more, or may be, and it does not say where. */
  | { readonly kind: 'more'; readonly name: string }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'unknown' };

/** Rows of the list that a response has, from a `Content-Range` header. */
export interface RowRange {
  readonly unit: string | undefined;
  readonly last: number | undefined;
  readonly total: number | undefined;
}

interface ContinuationSource extends ApiResponse {
  readonly metadata: ListMetadata;
  readonly dialect: Pick<Dialect, 'nextKey' | 'paging'>;
  readonly range: RowRange | undefined;
}

const linkNames = [
  ...['next', 'odatanextlink', 'nextlink', 'nextpageurl', 'nextpagelink', 'nexturl', 'nexturi'],
  ...['nexthref', 'nextpage', 'nextrecordsurl', 'hydranext'],
];
const cursorName =
  /^(?:cursor|endcursor|after|startingafter|continuation(?:token)?|scrollid|bookmark|next(?:page)?(?:cursor|token|marker|key|offset|start|startingafter|continuationtoken))$/;
const moreNames = [
  ...['hasmore', 'hasnext', 'hasnextpage', 'hasmorepages', 'more', 'moreavailable'],
  ...['moreitemsincollection', 'istruncated', 'truncated'],
];
const lastNames = ['last', 'islast', 'islastpage', 'lastpage', 'done'];
/** Names for "there is more" that fewer servers use. Without it, they do not prove the end. */
const otherMoreName =
  /^(?:has|is|are)?(?:more|next|additional)(?:pages?|rows?|records?|items?|results?|data|available|exists?)?$/;
const incompleteNames = ['incompleteresults', 'remaining'];
const completeNames = [
  ...['complete', 'iscomplete', 'eof', 'end', 'isend', 'endofrecords', 'endoflist', 'finished'],
];

/** Finds what a response says about the rows after its own. What says that there is more goes before what says not. */
export function findContinuation(source: ContinuationSource): Continuation {
  const { metadata, status, headers, range } = source;
  const links = parseLinks(headers);
  const header = links.get('next');
  if (header !== undefined) return { kind: 'link', name: 'Link: rel="next"', link: header };
  const flag = findFlag(metadata);
  const next = findNext(source);
  if (next?.kind === 'link' || next?.kind === 'page') return next;
  if (next?.kind === 'cursor' && flag?.kind !== 'end') return next;
  if (flag !== undefined) return flag;
  const more = findOtherFlag(metadata);
  if (next !== undefined && (next.kind !== 'end' || more === undefined)) return next;
  if (more !== undefined) return more;
  if (['first', 'prev', 'last'].some((relation) => links.has(relation))) return { kind: 'end', name: 'Link' };
  if (hasLinksButNoNext(source.body)) return { kind: 'end', name: 'links' };
  // With a total, the number of rows shows the end.
  const isCut = status === 206 && range?.total === undefined;
  if (isCut) return { kind: 'more', name: 'status 206' };
  return { kind: 'unknown' };
}

export function parseContentRange(headers: ResponseHeaders): RowRange | undefined {
  const match = /^\s*(?:([a-z]+)\s+)?(?:\d+-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(
    readHeader(headers, 'content-range') ?? '',
  );
  if (match === null) return undefined;
  const [, unit, last, total] = match;
  return {
    unit,
    last: last === undefined ? undefined : Number(last),
    total: total === undefined || total === '*' ? undefined : Number(total),
  };
}

function findFlag(metadata: ListMetadata): Continuation | undefined {
  const flags = [
    ...toFlags(metadata, moreNames),
    ...toFlags(metadata, lastNames).map(({ name, isSet }) => ({ name, isSet: !isSet })),
  ];
  const decisive = flags.find(({ isSet }) => isSet) ?? flags[0];
  return decisive && { kind: decisive.isSet ? 'more' : 'end', name: decisive.name };
}

function findOtherFlag(metadata: ListMetadata): Continuation | undefined {
  const says = [...metadata].find(([key, { value }]) => {
    if (completeNames.includes(key)) return value === false || /^false$/i.test(String(value));
    if (!otherMoreName.test(key) && !incompleteNames.includes(key)) return false;
    const count = isJsonNumber(value) || typeof value === 'string' ? Number(value) : 0;
    return value === true || count > 0 || (typeof value === 'string' && /^(?:true|yes|y)$/i.test(value));
  });
  return says && { kind: 'more', name: says[1].name };
}

function toFlags(metadata: ListMetadata, names: readonly string[]) {
  return names.flatMap((key) => {
    const { name, value } = metadata.get(key) ?? {};
    const isFlag = typeof value === 'boolean' || value === 'true' || value === 'false';
    return name === undefined || !isFlag ? [] : [{ name, isSet: String(value) === 'true' }];
  });
}

function findNext({ body, metadata, dialect }: ContinuationSource): Continuation | undefined {
  const { nextKey, paging } = dialect;
  const given = nextKey === null ? undefined : readPath(body, nextKey);
  const configured = nextKey === null ? undefined : toNext({ name: nextKey, value: given });
  if (configured !== undefined && configured.kind !== 'end') return configured;
  const links = linkNames.flatMap((key) => metadata.get(key) ?? []);
  const found = [...links, ...findCursors(metadata)].map(toNext);
  const next = found.find((one) => one !== undefined && one.kind !== 'end') ?? found.find(Boolean);
  if (next !== undefined) return next;
  // Where the documentation says how a page names the next one, one that does not is the last.
  const isExplicit =
    configured !== undefined || (nextKey !== null && (paging === 'cursor' || paging === 'link'));
  return isExplicit ? { kind: 'end', name: nextKey ?? '' } : undefined;
}

function findCursors(metadata: ListMetadata): readonly Metadata[] {
  const names = [...metadata.keys()].filter((key) => cursorName.test(key));
  const offset = metadata.get('offset');
  // A cursor may be called offset; a number there is the offset of this page.
  const opaque = typeof offset?.value === 'string' && !/^\d*$/.test(offset.value) ? [offset] : [];
  return [...names.flatMap((key) => metadata.get(key) ?? []), ...opaque];
}

function toNext({ name, value }: Metadata): Continuation | undefined {
  if (isNothing(value)) return value === undefined ? undefined : { kind: 'end', name };
  if (isFields(value)) return toNextObject(name, value);
  if (typeof value === 'string' && /^(?:https?:|[/?])|\?.*=/i.test(value))
    return { kind: 'link', name, link: value };
  const isPage = /next_?(?:page)?$/i.test(name) && /^\d{1,9}$/.test(String(value));
  if (isPage) return { kind: 'page', name, page: Number(value) };
  // OData allows links relative to the list.
  if (typeof value === 'string' && /(?:link|url|uri|href)$/i.test(name))
    return { kind: 'link', name, link: value };
  const isCursor = typeof value === 'string' || isJsonNumber(value);
  return isCursor ? { kind: 'cursor', name, cursor: String(value) } : undefined;
}

/** `next: {href: …}` of JSON:API and HAL, or `next: {after: …}`. */
function toNextObject(name: string, value: Readonly<Record<string, unknown>>): Continuation | undefined {
  const link = [value['href'], value['url'], value['link'], value['uri']].find(
    (one) => typeof one === 'string',
  );
  const entry = Object.entries(value).find(
    ([key, one]) => /after|cursor|token/i.test(key) && !isNothing(one),
  );
  if (entry !== undefined && (typeof entry[1] === 'string' || isJsonNumber(entry[1]))) {
    const [parameter, cursor] = entry;
    return { kind: 'cursor', name: `${name}.${parameter}`, cursor: String(cursor), parameter };
  }
  if (typeof link === 'string') return { kind: 'link', name, link };
  return /next_?(?:page)?$/i.test(name) && Object.keys(value).length > 0 ? { kind: 'more', name } : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}

/** JSON:API leaves out the links that do not exist; `self` alone does not show that there are pages. */
function hasLinksButNoNext(body: unknown): boolean {
  if (!isFields(body)) return false;
  return ['links', '_links'].some((key) => {
    const links = body[key];
    return isFields(links) && !('next' in links) && ['first', 'prev', 'last'].some((name) => name in links);
  });
}
