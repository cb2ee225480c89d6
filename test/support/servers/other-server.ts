import { contractDialect, type Dialect, toResourceDialect } from '../../../src/client/dialect/dialect.ts';
import { readPreset } from '../../../src/client/dialect/presets.ts';
import { json, openMisbehavingServer, type Received, type Reply } from '../misbehaving-server.ts';
import type { ClientStore, Row } from './client-store.ts';
import { parseExact } from './exact-json.ts';

export interface OtherServerOptions {
  /** Clients at the start. */
  readonly count?: number;
  /** The most rows the server puts on a page; the usual one of its kind by default. */
  readonly maxPageSize?: number;
  /** The ID of the client with a number from 1; as its kind numbers them by default. */
  readonly toId?: (number: number) => unknown;
  /** Whether writes are answered with a success status and a body that says they failed. */
  readonly failsSilently?: boolean;
}

/** A server of another kind than ours, with the clients it holds. */
export interface OtherServer extends AsyncDisposable {
  /** What a person would enter as its address. */
  readonly baseUrl: string;
  readonly store: ClientStore;
  readonly received: readonly Received[];
  all(noun?: string): readonly Row[];
}

/** A kind of server and how its stub starts. */
export interface ServerKind {
  readonly name: string;
  /** The ready-made dialect for it. */
  readonly dialect: string;
  /** The least that a profile must say: where its clients are. */
  readonly addresses: Partial<Dialect>;
  /** How it names the fields that the runs use. */
  readonly fields: FieldsInUse;
  /** A printed client under the server's names; as it is printed by default. */
  readonly toOwn?: (printed: Row) => Row;
  open(options?: OtherServerOptions): Promise<OtherServer>;
}

export interface FieldsInUse {
  readonly first: string;
  readonly last: string;
  readonly email: string;
  readonly phone: string;
  readonly notes: string;
  /** When a record was made and last changed; `created_at` and `updated_at` by default. */
  readonly created?: string;
  readonly updated?: string;
}

/** Undoes the names of a ready-made dialect, so that a printed client can be compared with the server's. */
export function withOwnNames(preset: string): (printed: Row) => Row {
  const { map } = toResourceDialect({ ...contractDialect, ...readPreset(preset) }, 'clients');
  return (printed) => map?.write(printed) ?? printed;
}

export const contractFields: FieldsInUse = {
  first: 'first_name',
  last: 'last_name',
  email: 'email',
  phone: 'phone',
  notes: 'notes',
};

export interface ServerScript {
  readonly store: ClientStore;
  /** Its records other than clients, by the contract's plural noun. */
  readonly others?: Readonly<Record<string, () => readonly Row[]>>;
  /** Path of the base URL, such as `/api`. */
  readonly path?: string;
  readonly handle: (request: Received) => Reply;
  readonly unauthorized: Reply;
  /** The answer to a write that failed, sent with a success status. */
  readonly failure: (status: 200) => Reply;
}

/** Starts a stub on loopback. Requests without a key are refused as its kind does. */
export async function openOtherServer(
  { store, others = {}, path = '', handle, unauthorized, failure }: ServerScript,
  { failsSilently = false }: OtherServerOptions,
): Promise<OtherServer> {
  const server = await openMisbehavingServer((request) => {
    if (!/^Bearer ./.test(request.headers.authorization ?? '')) return unauthorized;
    if (failsSilently && request.method !== 'GET') return failure(200);
    return handle(request);
  });
  return {
    baseUrl: `${server.origin}${path}`,
    store,
    received: server.received,
    all: (noun = 'clients') => others[noun]?.() ?? store.all(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The JSON object in a request; undefined for anything else. */
export function readObject({ body }: Received): Row | undefined {
  try {
    const value = parseExact(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
  } catch {
    return undefined;
  }
}

/** Absolute address of this server, as links need it. */
export function originOf({ headers }: Received): string {
  return `http://${headers.host}`;
}

export function mediaTypeOf({ headers }: Received): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** A whole number in a query; undefined for anything else. */
export function readInteger(text: string | null): number | undefined {
  return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Rows in the order of a field, as text; missing values last. */
export function sortRows(rows: readonly Row[], field: string, descending: boolean): readonly Row[] {
  const sign = descending ? -1 : 1;
  return rows.toSorted((one, other) => sign * compare(one[field], other[field]));
}

function compare(one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null || one === undefined) return 1;
  if (other === null || other === undefined) return -1;
  return String(one) < String(other) ? -1 : 1;
}

/** Whether a row has a text in one of its fields, ignoring case. */
export function mentions(row: Row, text: string): boolean {
  return ['first_name', 'last_name', 'email', 'phone'].some((field) =>
    String(row[field] ?? '')
      .toLowerCase()
      .includes(text.toLowerCase()),
  );
}

/** The fields of an object without some. */
export function omit(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/** A later instant than any in the store, so that a change shows. */
export function now(): string {
  return new Date().toISOString();
}

export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => response.writeHead(status, headers).end();
}

export function notAllowed(allow: string): Reply {
  return json({ message: 'Method not allowed' }, { status: 405, headers: { allow } });
}
