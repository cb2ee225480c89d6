import { type Action, type Scope, scopes } from './roles.ts';
import { listOf } from './schemas.ts';

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
  /** Whether the list has no collection versions: a log, or one that changes with time alone. */
  readonly isUnversioned?: true;
  /** Whether the whole list can be had in one response, as lines of JSON. */
  readonly isStreamed?: true;
  readonly query?: object;
  readonly body?: object;
  /** The member of the body whose entries count as a request each. */
  readonly countedBy?: string;
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

type Details = Omit<Endpoint, 'method' | 'path' | 'success'>;

/** Those that an endpoint of a resource may have besides. */
type More = Partial<Pick<Endpoint, 'action' | 'isDocumented' | 'isStreamed' | 'isUnversioned'>>;

/** Nothing but details of an endpoint: a misspelled one would be ignored. */
type Checked<Given extends Details> = Given & {
  readonly [Name in Exclude<keyof Given, keyof Details>]: never;
};

function respondWith<const Method extends Endpoint['method'], const Status extends number>(
  method: Method,
  status: Status,
) {
  return <const Path extends string, Body extends object, const Given extends Details>(
    path: Path,
    body: Body,
    details: Checked<Given>,
  ) => ({ method, path, ...details, success: { status, body } }) as const;
}

export const get = respondWith('GET', 200);
export const post = respondWith('POST', 200);
/** A POST that adds a record. */
export const create = respondWith('POST', 201);
/** A POST whose work is done later. */
export const accept = respondWith('POST', 202);
const put = respondWith('PUT', 200);
export const patch = respondWith('PATCH', 200);

/** A DELETE. */
export function remove<const Path extends string, const Given extends Details>(
  path: Path,
  details: Checked<Given>,
) {
  return { method: 'DELETE', path, ...details, success: { status: 204 } } as const;
}

/**
 * What makes the endpoints of a resource whose records have entity tags. Its rights are those of a noun; `written` is what
 * adding and changing a record respond with, where that is more than the record.
 */
export function endpointsOf<Item extends object, Written extends object = Item>(
  path: string,
  noun: Extract<Action, `${string}.write`> extends `${infer Noun}.write` ? Noun : never,
  { record, written }: { readonly record: Item; readonly written?: Written },
) {
  const read = { action: `${noun}.read`, isTagged: true } as const;
  const write = { action: `${noun}.write`, isTagged: true } as const;
  const one = `${path}/:id`;
  const answer = (written ?? record) as Written;
  return {
    list: <Query extends object>(summary: string, query: Query, more: More = {}) =>
      get(path, listOf(record), { ...read, ...more, summary, query }),
    create: <Body extends object>(summary: string, body: Body, more: More = {}) =>
      create(path, answer, { ...write, ...more, summary, body }),
    get: (summary: string) => get(one, record, { ...read, summary }),
    put: <Body extends object>(summary: string, body: Body, more: More = {}) =>
      put(one, answer, { ...write, ...more, summary, body }),
    patch: <Body extends object>(summary: string, body: Body) =>
      patch(one, answer, { ...write, summary, body }),
    remove: (summary: string) => remove(one, { ...write, summary }),
  };
}
