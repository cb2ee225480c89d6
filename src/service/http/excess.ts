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

/**
 * Finds lists that are too long, and objects with far too many fields. Validating what is in them would take seconds,
 * so nothing else of such a body is looked at.
 */
export function findExcess(schema: BoundedSchema, value: unknown, pointer = ''): SchemaViolation[] {
  if (Array.isArray(value)) {
    const { maxItems = Number.POSITIVE_INFINITY, items } = schema;
    if (value.length > maxItems) {
      return [{ pointer, code: 'out_of_range', message: `must have at most ${maxItems} entries` }];
    }
    if (items?.properties === undefined) return [];
    return value.flatMap((item, index) => findExcess(items, item, `${pointer}/${index}`));
  }
  const { properties, additionalProperties } = schema;
  if (properties === undefined || typeof value !== 'object' || value === null) return [];
  const known = Object.entries(properties);
  const names = Object.keys(value);
  if (additionalProperties === false && names.length > known.length + maxUnknownFields) {
    return names
      .filter((name) => !Object.hasOwn(properties, name))
      .slice(0, maxUnknownFields)
      .map((name) => ({ pointer: toPointer(pointer, name), code: 'unknown_field', message: 'is unknown' }));
  }
  const fields = value as Readonly<Record<string, unknown>>;
  return known.flatMap(([name, part]) =>
    Object.hasOwn(fields, name) ? findExcess(part, fields[name], toPointer(pointer, name)) : [],
  );
}
