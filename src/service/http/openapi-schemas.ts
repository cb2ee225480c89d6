import type { Endpoint } from '../../contract/endpoint.ts';
import { problems } from '../../contract/errors.ts';
import { event } from '../../contract/events.ts';

const violation = {
  type: 'object',
  required: ['code', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'The place in the body (RFC 6901).' },
    parameter: { type: 'string', description: 'The query parameter.' },
    code: { type: 'string' },
    detail: { type: 'string' },
  },
} as const;

const problem = {
  title: 'Problem',
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A page that explains the code.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(problems) },
    request_id: { type: 'string' },
    errors: { type: 'array', items: violation },
  },
} as const;

/** The schemas of bodies, answers and events that have a title, by title, and the one of problems. */
export function collectSchemas(table: Readonly<Record<string, Endpoint>>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const { body, success } of Object.values(table)) {
    collect(body, found);
    collect(success.body, found);
  }
  collect(event.oneOf, found);
  return { ...found, Problem: problem };
}

/** A schema with a reference wherever a titled one stands. */
export function toReferences(schema: unknown): unknown {
  return isTitled(schema) ? { $ref: `#/components/schemas/${schema.title}` } : toReferencesWithin(schema);
}

function collect(schema: unknown, found: Record<string, unknown>): void {
  if (typeof schema !== 'object' || schema === null) {
    return;
  }
  if (isTitled(schema)) {
    found[schema.title] = toReferencesWithin(schema);
  }
  for (const part of Object.values(schema)) {
    collect(part, found);
  }
}

function toReferencesWithin(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(toReferences);
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, toReferences(part)]));
}

// A property may be called title too; then it is a schema, not a text.
function isTitled(schema: unknown): schema is { title: string } {
  return (
    typeof schema === 'object' && schema !== null && 'title' in schema && typeof schema.title === 'string'
  );
}
