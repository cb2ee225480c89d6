import { gzipSync } from 'node:zlib';
import { clients } from './list-server.ts';
import { body, type Received, type Reply } from './misbehaving-server.ts';

export interface Streamed {
  readonly version?: number;
  readonly total?: number;
  /** Rows between two marks. */
  readonly marked?: number;
  /** Closes the connection after this many lines of the response. */
  readonly cutAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isCompressed?: boolean;
  /** Replaces the last line. */
  readonly end?: object;
}

/** Responds with the rest of a list of clients, as the contract's service does. Its cursors are the IDs of rows. */
export function streaming(request: Received, streamed: Streamed = {}): Reply {
  const { version = 1, total = clients.length, marked = 100, cutAfter, isCompressed, end } = streamed;
  const rest = clients.slice(clients.findIndex(({ id }) => id === request.query.get('after')) + 1);
  const lines = rest.flatMap((row, index) =>
    (index + 1) % marked === 0 && index + 1 < rest.length
      ? [JSON.stringify(row), JSON.stringify({ cursor: row.id })]
      : [JSON.stringify(row)],
  );
  lines.push(JSON.stringify(end ?? { end: true, rows: rest.length }));
  const headers = {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'salon-collection-version': String(version),
    'salon-total': String(total),
    'preference-applied': 'cursors',
    ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    ...streamed.headers,
  };
  const text = lines.map((line) => `${line}\n`);
  if (cutAfter !== undefined) {
    return (response) => {
      response.writeHead(200, headers);
      response.write(text.slice(0, cutAfter).join(''), () => response.destroy());
    };
  }
  return body(isCompressed ? gzipSync(text.join('')) : text.join(''), { headers });
}
