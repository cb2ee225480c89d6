import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
  type Reply,
} from './misbehaving-server.ts';

export interface ForgetfulServer extends MisbehavingServer {
  readonly records: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Writes that were executed, repeats included. */
  readonly executed: () => number;
}

export interface ForgetfulOptions {
  /** The records at the start. */
  readonly records?: readonly { readonly id: string }[];
  /** What is sent instead of the response to a write, counted from 0; undefined for the true response. */
  readonly answer: (request: Received, index: number) => Reply | undefined;
  /** Whether a write is executed although its response is another one. */
  readonly executes: boolean | ((request: Received) => boolean);
  /** The member with the time of creation; none by default. */
  readonly createdAs?: string;
}

/** A server of another make with clients, whose responses to writes do not say what it did. */
export async function openForgetfulServer(options: ForgetfulOptions): Promise<ForgetfulServer> {
  const { answer, executes, createdAs } = options;
  const records = new Map<string, Record<string, unknown>>(
    (options.records ?? []).map((record) => [record.id, { ...record }]),
  );
  let writes = 0;
  let executed = 0;
  const server = await openMisbehavingServer((request) => {
    const { method, path } = request;
    const id = /\/clients\/([^/]+)$/.exec(path)?.[1];
    if (method === 'GET') return /\/clients\b/.test(path) ? read(id) : json({}, { status: 404 });
    const other = answer(request, writes++);
    const isExecuted = typeof executes === 'boolean' ? executes : executes(request);
    if (other !== undefined && !isExecuted) return other;
    const response = execute(request, id);
    return other ?? response;
  });
  return { ...server, records, executed: () => executed, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };

  function read(id: string | undefined): Reply {
    if (id === undefined) {
      return json({
        data: [...records.values()],
        pagination: { page: 1, per_page: 200, total: records.size },
      });
    }
    const record = records.get(id);
    return record === undefined ? json({ message: 'Gone' }, { status: 404 }) : json(record);
  }

  function execute({ method, body }: Received, id = `new_${records.size + 1}`): Reply {
    executed += 1;
    if (method === 'DELETE') {
      const isThere = records.delete(id);
      return json({}, { status: isThere ? 200 : 404 });
    }
    const created =
      method === 'POST' && createdAs !== undefined ? { [createdAs]: new Date().toISOString() } : {};
    const record = { ...JSON.parse(body), id, ...created };
    records.set(id, record);
    return json(record, { status: method === 'POST' ? 201 : 200 });
  }
}
