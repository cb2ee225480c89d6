import { clients } from './list-server.ts';
import { json, type Received, type Reply } from './misbehaving-server.ts';

/** Rows of a page of the list below. */
export const rowsPerPage = 50;

/** Answers a list whose pages are known by their addresses alone; page numbers it takes for nothing. */
export function byAddress({ query }: Received): Reply {
  const start = Number(query.get('token') ?? 0);
  const end = start + rowsPerPage;
  const link = `</api/v1/clients?token=${end}>; rel="next"`;
  return json(clients.slice(start, end), { headers: end < clients.length ? { link } : {} });
}
