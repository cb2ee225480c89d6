import { type Fields, isFields, simplifyName } from '../json-object.ts';
import { type ResponseHeaders, readHeader } from '../response-headers.ts';

/** A member that describes a list. */
export interface Metadata {
  /** Its name or path as the server sent it. */
  readonly name: string;
  readonly value: unknown;
}

/** What describes a list, by name in lower case without separators: `nextcursor` for `meta.next_cursor`. */
export type ListMetadata = ReadonlyMap<string, Metadata>;

/** Members of a response that contain metadata, in order of preference: the first to set a name wins. */
const containers = [
  ...['pagination', 'meta', 'paging', 'page', 'pages', 'pageinfo', 'cursors', 'responsemetadata'],
  ...['additionaldata', 'metadata', 'pagecontext', 'paginationresponse', 'pager', 'paginator', 'info'],
  ...['resultinfo', 'listinfo', 'links', 'link', 'hydraview', 'view', 'data', 'd'],
];

const headerNames = [
  ...['x-total-count', 'x-total', 'x-wp-total', 'x-pagination-total-count', 'x-total-pages'],
  ...['x-wp-totalpages', 'x-page', 'x-per-page', 'x-next-page', 'x-next-cursor', 'x-next-page-token'],
  ...['x-has-more', 'x-total-results', 'x-pagination-total', 'x-pagination-pages', 'x-pagination-next'],
  ...['x-pages', 'total', 'total-count', 'pagination-count', 'pagination-pages', 'next-token'],
  ...['x-next-token', 'x-ms-continuation', 'opc-next-page'],
];

/** `pagination-count` keeps its prefix: it may count the page or the list. */
const headerPrefix = /^(?:x-)?(?:wp-|ms-|opc-)?(?:pagination-(?!count))?/;

/** Collects the metadata of a list response from its body and its headers; members of inner objects first. */
export function collectMetadata(body: unknown, headers: ResponseHeaders): ListMetadata {
  const metadata = new Map<string, Metadata>();
  if (isFields(body)) collectFrom(body, { path: '', depth: 0, metadata });
  for (const name of headerNames) {
    const value = readHeader(headers, name);
    if (value !== undefined) add(metadata, name.replace(headerPrefix, ''), { name, value });
  }
  // Any other header that counts something is a hint, under its whole name.
  for (const name of Object.keys(headers))
    if (/total|count/.test(name)) add(metadata, name, { name, value: readHeader(headers, name) });
  const json = readHeader(headers, 'x-pagination');
  if (json?.startsWith('{')) collectFrom(parse(json), { path: 'x-pagination: ', depth: 0, metadata });
  return metadata;
}

/** The first of the members with these names. */
export function findMetadata(metadata: ListMetadata, names: readonly string[]): Metadata | undefined {
  for (const name of names) {
    const found = metadata.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly metadata: Map<string, Metadata>;
}

function collectFrom(object: Fields, { path, depth, metadata }: Place): void {
  const inner = new Map<string, { readonly name: string; readonly members: Fields }>();
  for (const [name, value] of Object.entries(object)) {
    const members = toMembers(value);
    if (members !== undefined) inner.set(simplifyName(name), { name, members });
  }
  for (const container of depth < 3 && inner.size > 0 ? containers : []) {
    const { name, members } = inner.get(container) ?? {};
    if (members !== undefined) collectFrom(members, { path: `${path}${name}.`, depth: depth + 1, metadata });
  }
  for (const [name, value] of Object.entries(object)) {
    // HAL allows several links of a kind.
    const member = Array.isArray(value) && value.length === 1 && isFields(value[0]) && 'href' in value[0];
    if (member) add(metadata, name, { name: path + name, value: value[0] });
    else if (!Array.isArray(value)) add(metadata, name, { name: path + name, value });
  }
}

function add(metadata: Map<string, Metadata>, name: string, found: Metadata): void {
  const simple = simplifyName(name);
  if (!metadata.has(simple)) metadata.set(simple, found);
}

/** Also `links: [{rel: 'next', href: …}]`, in FHIR `link: [{relation: 'next', url: …}]` */
function toMembers(value: unknown): Fields | undefined {
  if (isFields(value)) return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const isLink = (one: unknown): one is Fields => isFields(one) && ('rel' in one || 'relation' in one);
  if (!value.every(isLink)) return undefined;
  return Object.fromEntries(value.map((link) => [String(link['rel'] ?? link['relation']), link]));
}

function parse(json: string): Fields {
  try {
    const value: unknown = JSON.parse(json);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
