import { createMachine, type RunOptions, type RunResult } from '../support/io.ts';
import { json, openMisbehavingServer, type Received, type Reply } from '../support/misbehaving-server.ts';

export type Row = Record<string, unknown>;

interface RecordServerOptions {
  /** The records by the path of their list; writes change them in place. */
  readonly records: Readonly<Record<string, Row[]>>;
  /** What it answers to a list; by default pages of 100 at most, with their total. */
  readonly list?: (rows: Row[], request: Received) => Reply;
  /** What it stores of a write; a reply refuses it. By default the members that the record has. */
  readonly store?: (sent: Row, record: Row) => Row | Reply;
  /** Settings of the machine. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it answers to a write that it took; the record by default. */
  readonly answer?: (record: Row) => Reply;
}

interface RecordServer extends AsyncDisposable {
  readonly origin: string;
  readonly received: readonly Received[];
  /** The bodies of all writes. */
  sent(): Row[];
  salon(argv: readonly string[], options?: RunOptions): Promise<RunResult>;
}

/** A server of plain records that knows only what it is told, with a machine that is connected to it. */
export async function openRecordServer(options: RecordServerOptions): Promise<RecordServer> {
  const { records, list = pageList, store = keepKnown, answer = (record) => json(record) } = options;
  const server = await openMisbehavingServer((request) => {
    const [name = '', id] = request.path.replace(/^\/(api\/)?(v1\/)?/, '').split('/');
    const rows = records[name];
    if (rows === undefined) return json({ error: 'not found' }, { status: 404 });
    if (id === undefined && request.method === 'GET') return list(rows, request);
    const isNew = id === undefined && request.method === 'POST';
    const record = isNew ? { id: rows.length + 1 } : rows.find((row) => String(row['id']) === id);
    if (record === undefined) return json({ error: 'not found' }, { status: 404 });
    if (request.method === 'GET') return json(record);
    if (!isNew && request.method === 'POST') return json({ error: 'not found' }, { status: 404 });
    if (request.method === 'DELETE') return answer(record);
    const stored = store(JSON.parse(request.body), isNew ? (rows[0] ?? {}) : record);
    if (typeof stored === 'function') return stored as Reply;
    Object.assign(record, stored);
    if (isNew) rows.push(record);
    return answer(record);
  });
  const env = {
    ...{ SALON_BASE_URL: server.origin, SALON_API_KEY: 'key', SALON_DATA_DIR: 'data' },
    SALON_DIALECT_PAGING: 'page',
    ...options.env,
  };
  const machine = createMachine({ env: { ...env, SALON_CONFIG_DIR: 'config' } });
  return {
    origin: server.origin,
    received: server.received,
    sent: () => server.received.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body)),
    salon: (argv, given) => machine.salon(argv, given),
    async [Symbol.asyncDispose]() {
      machine[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function clientsOf(count: number, more: Row = {}): Row[] {
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    first_name: `Ana${at + 1}`,
    last_name: 'Costa',
    email: `p${at + 1}@x.example`,
    phone: `030 ${1_000_000 + at}`,
    notes: null,
    tags: [],
    ...more,
  }));
}

function pageList(rows: Row[], { query }: Received): Reply {
  const size = Math.min(Number(query.get('per_page') ?? 20), 100);
  const page = Number(query.get('page') ?? 1);
  return json({ data: rows.slice((page - 1) * size, page * size), total: rows.length });
}

export function keepKnown(sent: Row, record: Row): Row {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'id' && name in record));
}

/** Stores everything but some members. */
export function withoutStoring(...names: string[]): NonNullable<RecordServerOptions['store']> {
  return (sent, record) =>
    Object.fromEntries(Object.entries(keepKnown(sent, record)).filter(([name]) => !names.includes(name)));
}
