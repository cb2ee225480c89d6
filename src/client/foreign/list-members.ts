import { isJsonNumber } from '../../text/json.ts';
import { type Fields, isFields, simplifyName } from '../json-object.ts';
import { type ResponseHeaders, readHeader } from '../response-headers.ts';

/** A member or header that describes a list, with its name or path as the server sent it. */
export interface ListMember {
  readonly name: string;
  readonly value: unknown;
}

/** What describes a list, by name in lower case without separators: `nextcursor` for `meta.next_cursor`. */
export type ListMembers = ReadonlyMap<string, ListMember>;

/** Members that describe the list in an object of their own. */
const container = /^pag(?!eable)|meta|cursor|info|link|view|data$|^d$/;
const listHeader =
  /^(?:x-)?(?:wp-|ms-|opc-|pagination-)?(?:total(?:-?pages|-results|-count)?|pages?|per-page|next(?:-[a-z-]+)?|has-more|continuation)$/;

/** Collects what describes a list from its body and its headers; members of inner objects first. */
export function collectMembers(body: unknown, headers: ResponseHeaders): ListMembers {
  const members = new Map<string, ListMember>();
  if (isFields(body)) collectFrom(body, '', members);
  for (const header of Object.keys(headers)) {
    const value = readHeader(headers, header);
    const isOfList = listHeader.test(header);
    // Any other header that counts something is a hint, under its whole name.
    const name = isOfList ? header.replace(/^(?:x-)?(?:wp-|ms-|opc-|pagination-)?/, '') : header;
    if (isOfList || /total|count/.test(header)) add(members, name, { name: header, value });
    if (header === 'x-pagination' && value?.startsWith('{'))
      collectFrom(parseObject(value), `${header}.`, members);
  }
  return members;
}

/** The first whole number whose name, in lower case without separators, fits. */
export function findNumber(members: ListMembers, names: RegExp) {
  for (const [key, { name, value }] of members) {
    const number = names.test(key) ? toWholeNumber(value) : undefined;
    if (number !== undefined) return { name, value: number };
  }
  return undefined;
}

export function toWholeNumber(given: unknown): number | undefined {
  // Elasticsearch: {"value": 45, "relation": "eq"}
  const value = isFields(given) && given['relation'] === 'eq' ? given['value'] : given;
  const isNumber = isJsonNumber(value) || (typeof value === 'string' && /^\d{1,15}$/.test(value));
  const number = isNumber ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function collectFrom(object: Fields, path: string, members: Map<string, ListMember>): void {
  const entries = Object.entries(object).map(([name, value]) => [name, toLinks(value)] as const);
  for (const [name, value] of path.split('.').length < 4 ? entries : [])
    if (isFields(value) && container.test(simplifyName(name))) collectFrom(value, `${path}${name}.`, members);
  for (const [name, value] of entries)
    if (!Array.isArray(value)) add(members, name, { name: path + name, value });
}

function add(members: Map<string, ListMember>, name: string, member: ListMember): void {
  const key = simplifyName(name);
  if (!members.has(key)) members.set(key, member);
}

/** `links: [{rel: 'next', href: …}]`, in FHIR `link: [{relation: 'next', url: …}]`; and HAL allows several of a kind. */
function toLinks(value: unknown): unknown {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFields)) return value;
  if (value.every((link) => 'rel' in link || 'relation' in link))
    return Object.fromEntries(value.map((link) => [String(link['rel'] ?? link['relation']), link]));
  return value.length === 1 && 'href' in Object(value[0]) ? value[0] : value;
}

function parseObject(json: string): Fields {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
