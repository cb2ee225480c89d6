import { SalonError } from '../contract/errors.ts';
import { toIdText } from '../contract/identifiers.ts';
import { didYouMean } from '../text/closest.ts';
import { ExactNumber } from '../text/json.ts';

/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** The member at a path such as `meta.next`, where a name may have dots itself; undefined if there is none. */
export function readPath(value: unknown, path: string): unknown {
  if (!isFields(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot);
    if (!Object.hasOwn(value, name)) continue;
    const found = readPath(value[name], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Throws `usage` for a member with another name: what narrows a selection down must never be ignored. */
export function assertKnownNames(given: unknown, known: readonly string[], what: string): void {
  if (!isFields(given)) throw new SalonError('usage', `Each ${what} has to be a member of an object.`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new SalonError('usage', `There is no ${what} ${unknown}.${didYouMean(unknown, known)}`, {
    hint: `Each ${what}: ${known.join(', ')}.`,
    members: { unknown, known },
  });
}

/** The ID of the client of an appointment or payment; null if it has none, undefined if the record does not show it. */
export function findClientId(record: unknown): string | null | undefined {
  const id = isFields(record) ? record['client_id'] : undefined;
  return id === null ? null : toIdText(id);
}

/** A name without case and punctuation: `nextcursor` for `next_cursor`. */
export function simplifyName(name: string): string {
  return /^[a-z0-9]+$/.test(name) ? name : name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The same members, with names in lower case. */
export function toLowerCaseNames<Value>(
  members: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name.toLowerCase(), value]));
}

/** A list of texts; undefined for anything else. */
export function toTags(value: unknown): readonly string[] | undefined {
  if (value === null) return [];
  const isList = Array.isArray(value) && value.every((tag) => typeof tag === 'string');
  return isList ? (value as readonly string[]) : undefined;
}

export function isBlankValue(value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return value === null || value === undefined || isEmptyList || String(value).trim() === '';
}
