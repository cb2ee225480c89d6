import { unescape as decode } from 'node:querystring';
import type { Dialect } from './dialect.ts';

type Paths = Pick<Dialect, 'resources' | 'listPath' | 'itemPath'>;

/**
 * The server's path below the prefix for a path of the contract: a list (`/clients`), a record (`/clients/:id`), or a
 * path below one, which keeps its form. It may end with a query, as PostgREST's `/clients?id=eq.1`.
 */
export function toServerPath(contractPath: string, dialect: Paths, id = ''): string {
  const [, noun = '', ...rest] = contractPath.split('/');
  const resource = Object.hasOwn(dialect.resources, noun) ? (dialect.resources[noun] ?? noun) : noun;
  const template =
    rest.length === 0 ? dialect.listPath : isItem(rest) ? dialect.itemPath : toSubPath(contractPath);
  return template
    .replaceAll('{resource}', resource)
    .replaceAll('{id}', () => encodeURIComponent(id))
    .replaceAll('{key}', () => encodeURIComponent(toODataLiteral(id)));
}

/** The ID in the address of a record, such as a `Location`; undefined if it is another address. */
export function parseItemPath(address: string, { itemPath }: Pick<Dialect, 'itemPath'>): string | undefined {
  const path = itemPath
    .replace(/\/$/, '')
    .replace('{resource}', '\0')
    .replace(/\{(?:id|key)\}/, '\x01');
  const pattern = RegExp.escape(path).replace('\0', '[^/?#]+').replace('\x01', "'?([^/?#]+?)'?");
  // Without a query in the form of its paths, a server may add one to its links.
  const end = itemPath.includes('?') ? '$' : '/?(?:[?#].*)?$';
  const id = new RegExp(pattern + end).exec(address)?.[1];
  return id === undefined ? undefined : decode(id);
}

/** Whether a path of the contract is that of one record, such as `/clients/:id`. */
export function isItemPath(contractPath: string): boolean {
  return isItem(contractPath.split('/').slice(2));
}

function isItem(rest: readonly string[]): boolean {
  return rest.length === 1 && rest[0] === ':id';
}

function toSubPath(contractPath: string): string {
  return contractPath.replace(/^\/[^/]*/, '/{resource}').replace(':id', '{id}');
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A key or value as OData writes it: numbers and GUIDs bare, text in quotes. */
export function toODataLiteral(text: string): string {
  return /^-?\d+$/.test(text) || guid.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}
