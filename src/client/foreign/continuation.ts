import { isJsonNumber } from '../../text/json.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ApiResponse } from '../http/decode.ts';
import { isFields, readPath } from '../json-object.ts';
import { parseLinks, type ResponseHeaders, readHeader } from '../response-headers.ts';
import type { ListMember, ListMembers } from './list-members.ts';

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
  readonly members: ListMembers;
  readonly dialect: Pick<Dialect, 'nextKey' | 'paging'>;
  readonly range: RowRange | undefined;
}

const linkName = /^(?:odata|hydra)?next(?:page|records)?(?:link|url|uri|href)?$/;
const cursorName =
  /^(?:cursor|endcursor|after|startingafter|continuation(?:token)?|scrollid|bookmark|next(?:page)?(?:cursor|token|marker|key|offset|start|startingafter|continuationtoken))$/;
const moreName =
  /^(?:(?:has|is|are)?(?:more|next|additional)(?:pages?|rows?|records?|items?(?:incollection)?|results?|data|available|exists?)?|(?:is)?truncated|incompleteresults|remaining)$/;
const endName = /^(?:(?:is)?(?:last(?:page)?|complete|eof|end|finished)|done|endof(?:records|list))$/;
/** Without one of the others, a list goes on; it need not end with one. */
const certainName =
  /^(?:(?:has|is)?(?:more|next|truncated)(?:pages?|available|itemsincollection)?|(?:is)?last(?:page)?|done)$/;

/** Finds what a response says about the rows after its own. What says that there is more goes before what says not. */
export function findContinuation(source: ContinuationSource): Continuation {
  const { members, status, headers, range } = source;
  const links = parseLinks(headers);
  const header = links.get('next');
  if (header !== undefined) return { kind: 'link', name: 'Link: rel="next"', link: header };
  const flag = findFlag(members);
  const next = findNext(source);
  if (next?.kind === 'link' || next?.kind === 'page') return next;
  if (next?.kind === 'cursor' && flag?.kind !== 'end') return next;
  const found = [flag, next].find((one) => one?.kind === 'more') ?? flag ?? next;
  if (found !== undefined) return found;
  const relations = ['first', 'prev', 'last'];
  if (relations.some((relation) => links.has(relation))) return { kind: 'end', name: 'Link' };
  // JSON:API leaves out the links that do not exist; `self` alone does not show that there are pages.
  if (relations.some((relation) => /^_?links\./.test(members.get(relation)?.name ?? '')))
    return { kind: 'end', name: 'links' };
  // With a total, the number of rows shows the end.
  return status === 206 && range?.total === undefined
    ? { kind: 'more', name: 'status 206' }
    : { kind: 'unknown' };
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

/** `has_more: true`, `last: false`, `remaining: 25`. */
function findFlag(members: ListMembers): Continuation | undefined {
  let end: Continuation | undefined;
  for (const [key, { name, value }] of members) {
    const isEndName = endName.test(key);
    if (!isEndName && !moreName.test(key)) continue;
    const text = String(value);
    const isFlag = /^(?:true|false)$/i.test(text);
    const isCount = !isEndName && (/^y(?:es)?$/i.test(text) || (/^\d+$/.test(text) && Number(text) > 0));
    if (isCount || (isFlag && /true/i.test(text) !== isEndName)) return { kind: 'more', name };
    if (isFlag && certainName.test(key)) end ??= { kind: 'end', name };
  }
  return end;
}

function findNext({ body, members, dialect }: ContinuationSource): Continuation | undefined {
  const { nextKey, paging } = dialect;
  const all = [...members];
  const named = (pattern: RegExp) => all.filter(([key]) => pattern.test(key)).map(([, member]) => member);
  // A cursor may be called offset; a number there is the offset of this page.
  const opaque = named(/^offset$/).filter(({ value }) => typeof value === 'string' && !/^\d*$/.test(value));
  const declared = nextKey === null ? [] : [{ name: nextKey, value: readPath(body, nextKey) }];
  const found = [...declared, ...named(linkName), ...named(cursorName), ...opaque].map(toNext);
  const next = found.find((one) => one !== undefined && one.kind !== 'end') ?? found.find(Boolean);
  // Where the documentation says how a page names the next one, one that does not is the last.
  const isExplicit = nextKey !== null && (paging === 'cursor' || paging === 'link');
  return next ?? (isExplicit ? { kind: 'end', name: nextKey } : undefined);
}

function toNext({ name, value }: ListMember): Continuation | undefined {
  if (value === undefined) return undefined;
  if (isNothing(value)) return { kind: 'end', name };
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
  const entries = Object.entries(value);
  const [parameter, cursor] =
    entries.find(([key, one]) => /after|cursor|token/i.test(key) && !isNothing(one)) ?? [];
  if (parameter !== undefined && (typeof cursor === 'string' || isJsonNumber(cursor)))
    return { kind: 'cursor', name: `${name}.${parameter}`, cursor: String(cursor), parameter };
  const [, link] =
    entries.find(([key, one]) => /^(?:href|ur[li]|link)$/.test(key) && typeof one === 'string') ?? [];
  if (link !== undefined) return { kind: 'link', name, link: String(link) };
  return /next_?(?:page)?$/i.test(name) && entries.length > 0 ? { kind: 'more', name } : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === false;
}
