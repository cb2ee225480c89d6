import { type ProblemCode, problems } from '../../contract/errors.ts';

/** Headers of every answer behind a credential. */
export const answerHeaders = {
  'X-Request-Id': { description: 'Names this request in reports.', schema: { type: 'string' } },
  'API-Version': { description: 'The version that answered.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'How many requests an hour has.', schema: { type: 'string' } },
  RateLimit: { description: 'How many are left, and for how many seconds.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'How many requests an hour has.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'How many are left.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'When the hour ends, in Unix seconds.', schema: { type: 'integer' } },
} as const;

/** Further headers of a page of a list whose versions are counted. */
export const versionHeaders = {
  'Salon-Collection-Version': {
    description: 'Raised by every write to the collection: equal on two pages, nothing lay between them.',
    schema: { type: 'integer' },
  },
} as const;

/** A further header of a page of any list. */
export const linkHeaders = {
  Link: { description: 'The pages first, prev, next and last (RFC 8288).', schema: { type: 'string' } },
} as const;

/** A further header of what can be known already. */
export const tagHeaders = {
  ETag: {
    description: 'Names what was answered: a page by its bytes, a record by its updated_at.',
    schema: { type: 'string' },
  },
} as const;

/** A further header of an answer to a request with an Idempotency-Key. */
export const repeatHeaders = {
  'Idempotent-Replayed': {
    description: 'Whether this was done before, and is only answered again; left out where no key was sent.',
    schema: { type: 'boolean' },
  },
} as const;

/** A further header of what is known of the credential. */
export const keyHeaders = {
  'Salon-Idempotency-Keys': {
    description: 'For how many seconds a POST with an Idempotency-Key can be repeated.',
    schema: { type: 'integer' },
  },
} as const;

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } };
const saysWhen = new Set<ProblemCode>(['rate_limited', 'service_unavailable', 'idempotency_key_in_use']);
const challenge = {
  'WWW-Authenticate': { description: 'How to sign in (RFC 6750).', schema: { type: 'string' } },
};

/** An answer for each status that the codes have, with the codes it can carry. */
export function toProblemAnswers(codes: readonly ProblemCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries([...byStatus].map(([status, group]) => [String(status), toAnswer(group)]));
}

function toAnswer(codes: readonly ProblemCode[]): object {
  const headers = {
    ...(codes.some((code) => saysWhen.has(code)) ? retryAfter : {}),
    ...(codes.some((code) => code === 'authentication_required' || code === 'insufficient_scope')
      ? challenge
      : {}),
  };
  return {
    description: `${codes.map((code) => problems[code].title).join('; ')}.`,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
      },
    },
  };
}
