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
    .replaceAll('{id}', id)
    .replaceAll('{key}', () => toODataLiteral(id));
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
