import { clients } from './list-server.ts';
import { json, type Received, type Reply } from './misbehaving-server.ts';

/** Rows per page. */
export const rowsPerPage = 50;

/** Serves a list whose pages can only be requested by link. Ignores page numbers. */
export function byAddress({ query }: Received): Reply {
  const start = Number(query.get('token') ?? 0);
  const end = start + rowsPerPage;
  const link = `</api/v1/clients?token=${end}>; rel="next"`;
  return json(clients.slice(start, end), { headers: end < clients.length ? { link } : {} });
}
