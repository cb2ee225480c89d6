import type { Action, Scope } from './roles.ts';

/** One operation of the service. `documented` ones stand in the service's document; extensions are ours. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the prefix; a segment such as `:id` is an identifier. */
  readonly path: string;
  readonly standing: 'documented' | 'extension';
  readonly summary: string;
  /** What a narrowed credential needs; null where any good credential will do. */
  readonly scope: Scope | null;
  /** What the role must allow; null where every role may. */
  readonly action: Action | null;
  /** Whether it works on one record that has an `ETag`, which a change can be bound to with `If-Match`. */
  readonly isTagged?: true;
  /** Whether it lists what passes by: nobody counts versions of that. */
  readonly isUnversioned?: true;
  readonly query?: object;
  readonly body?: object;
  /** Whether a request without a body is one that says nothing. */
  readonly isBodyOptional?: true;
  /** Status and schema of success; no schema means no body. */
  readonly success: { readonly status: number; readonly body?: object };
}
