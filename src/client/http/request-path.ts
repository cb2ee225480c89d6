import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { quote } from './quote.ts';

export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** Rejects an invalid ID before anything is sent: `..` would reach the parent path. */
export function assertIdentifier(id: string, noun: string): void {
  if (isIdentifier(id)) return;
  throw new SalonError('usage', `No ${noun} matches "${quote(id, 80)}".`, {
    hint: 'An ID has at most 200 characters, and no "/", "\\\\", "?", "#" or "%".',
  });
}

const contractRoots = new Set(Object.values(endpoints).map(({ path }) => firstSegment(path)));

/** Whether a path is relative to the version prefix, unlike `/healthz`. */
export function isBelowPrefix(path: string): boolean {
  return !path.startsWith('/') || contractRoots.has(firstSegment(path));
}

function firstSegment(path: string): string {
  return path.split(/[/?]/)[1] ?? '';
}

/** Throws `usage`. */
export function assertPath(path: string): void {
  const hasDotSegment = path.split(/[/?]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (/^[!"$-~]+$/.test(path) && !path.includes('://') && !hasDotSegment) return;
  throw new SalonError('usage', `"${quote(path, 120)}" is not a valid path.`, {
    hint: 'Use a path such as clients or /api/v1/clients, and percent-encode special characters.',
  });
}

export function withQuery(path: string, query: QueryValues | URLSearchParams): string {
  const parameters = query instanceof URLSearchParams ? query : toParameters(query);
  if (parameters.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${parameters}`;
}

function toParameters(query: QueryValues): URLSearchParams {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string]));
}
