import { closest } from '../contract/closest.ts';
import { SalonError } from '../contract/errors.ts';
import { ExactNumber } from '../contract/json.ts';

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
  const near = closest(unknown, known);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new SalonError('usage', `There is no ${what} ${unknown}.${question}`, {
    hint: `Each ${what}: ${known.join(', ')}.`,
    members: { unknown, known },
  });
}
