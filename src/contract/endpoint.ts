import { type Action, type Scope, scopes } from './roles.ts';

/** One operation of the service. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path after the version prefix; `:id` is a placeholder for an ID. */
  readonly path: string;
  /** Whether the published API document has it. The others are extensions, which a server may lack. */
  readonly isDocumented?: true;
  readonly summary: string;
  /** The right a role needs; null if every role has it. */
  readonly action: Action | null;
  /** Whether the record has an `ETag`, so that a change can be made conditional with `If-Match`. */
  readonly isTagged?: true;
  /** Whether the list is a log without collection versions. */
  readonly isUnversioned?: true;
  /** Whether the whole list can be had in one response, as lines of JSON. */
  readonly isStreamed?: true;
  readonly query?: object;
  readonly body?: object;
  /** Whether it changes nothing although it is no GET. */
  readonly isSafe?: true;
  /** The member of the response that is a secret: it is shown only once. */
  readonly secret?: string;
  /** Whether a missing body means an empty object. */
  readonly isBodyOptional?: boolean;
  /** Status and body schema of a successful response; no schema means no body. */
  readonly success: { readonly status: number; readonly body?: object };
}

/**
 * The scope a request to an endpoint needs; null if it needs none. What only people and unrestricted keys manage, such
 * as OAuth clients, has no scope.
 */
export function scopeOf({ method, action }: Endpoint): Scope | null {
  const noun = action?.split('.')[0];
  return scopes.find((scope) => scope === `${noun}:${method === 'GET' ? 'read' : 'write'}`) ?? null;
}
