import type { SchemaViolation } from './validation-errors.ts';
import { toPointer } from './validation-errors.ts';

/** The parts of a body schema that bound how much there may be. */
interface BoundedSchema {
  readonly maxItems?: number;
  readonly items?: BoundedSchema;
  readonly properties?: Readonly<Record<string, BoundedSchema>>;
  readonly additionalProperties?: unknown;
}

/** Unknown fields that are looked at one by one. */
const maxUnknownFields = 100;

/** Finds lists and objects that are too large in a value at a JSON pointer. */
type SizeCheck = (value: unknown, pointer: string) => readonly SchemaViolation[];

const none: readonly SchemaViolation[] = [];

/**
 * Compiles the check for lists that are too long, and for objects with far too many fields. Validating what is in them
 * would take seconds, so nothing else of such a body is looked at. Undefined for a schema that bounds nothing.
 */
export function compileSizeCheck(schema: BoundedSchema): SizeCheck | undefined {
  const { maxItems = Number.POSITIVE_INFINITY, items, properties, additionalProperties } = schema;
  if (properties !== undefined) return compileFields(properties, additionalProperties === false);
  const checkItem = items?.properties === undefined ? undefined : compileSizeCheck(items);
  if (schema.maxItems === undefined && checkItem === undefined) return undefined;
  return (value, pointer) => {
    if (!Array.isArray(value)) return none;
    if (value.length > maxItems) {
      return [{ pointer, code: 'out_of_range', message: `must have at most ${maxItems} entries` }];
    }
    return checkItem === undefined
      ? none
      : value.flatMap((item, index) => checkItem(item, `${pointer}/${index}`));
  };
}

function compileFields(
  properties: Readonly<Record<string, BoundedSchema>>,
  isClosed: boolean,
): SizeCheck | undefined {
  const names = new Set(Object.keys(properties));
  const parts = Object.entries(properties).flatMap(([name, part]) => {
    const check = compileSizeCheck(part);
    return check === undefined ? [] : [{ name, check }];
  });
  if (!isClosed && parts.length === 0) return undefined;
  return (value, pointer) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return none;
    const given = Object.keys(value);
    if (isClosed && given.length > names.size + maxUnknownFields) {
      return given
        .filter((name) => !names.has(name))
        .slice(0, maxUnknownFields)
        .map((name) => ({ pointer: toPointer(pointer, name), code: 'unknown_field', message: 'is unknown' }));
    }
    if (parts.length === 0) return none;
    const fields = value as Readonly<Record<string, unknown>>;
    return parts.flatMap(({ name, check }) =>
      Object.hasOwn(fields, name) ? check(fields[name], toPointer(pointer, name)) : none,
    );
  };
}
