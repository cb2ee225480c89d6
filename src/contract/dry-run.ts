import type { XStatic } from 'typebox/schema';
import { type Endpoint, post } from './endpoint.ts';
import { bodyOf, objectOf } from './schemas.ts';

/** Writes that one request may check. */
export const maxDryRunWrites = 200;

/** A write as a request would send it. */
const write = bodyOf(
  { title: 'Write', required: ['method', 'path'] },
  {
    method: { type: 'string', enum: ['POST', 'PUT', 'PATCH', 'DELETE'] },
    path: {
      type: 'string',
      minLength: 1,
      maxLength: 500,
      description: 'Path after the prefix, with its query, such as /clients/cli_1?force=true.',
    },
    body: { type: 'object' },
    if_match: { type: 'string', maxLength: 1000, description: 'The If-Match header.' },
  },
);

const writes = bodyOf(
  { title: 'Writes', required: ['writes'] },
  { writes: { type: 'array', minItems: 1, maxItems: maxDryRunWrites, items: write } },
);

const result = objectOf({
  status: { type: 'integer', description: 'The status that the write would get.' },
  record: {
    type: ['object', 'null'],
    description: 'The record that it would return. A new record would get another ID.',
  },
  problem: { type: ['object', 'null'], description: 'The problem it would get; null if it would succeed.' },
});

export type PlannedWrite = XStatic<typeof write>;
export type DryRunResult = XStatic<typeof result>;

/**
 * A separate endpoint, so that a server without it responds with 404. A parameter of the writes themselves would be ignored
 * by such a server, which would execute them.
 */
export const dryRunEndpoints = {
  checkWrites: post('/dry-run', objectOf({ results: { type: 'array', items: result } }), {
    summary: 'Check writes: each gets the result it would have now, and none is executed',
    action: null,
    isSafe: true,
    body: writes,
  }),
} as const satisfies Record<string, Endpoint>;
