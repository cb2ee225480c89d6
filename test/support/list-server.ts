import { collect } from './collect.ts';
import { json, type Received, type Reply } from './misbehaving-server.ts';
import type { TestClient } from './open-client.ts';

/** The records of all list servers. */
export const clients = Array.from({ length: 450 }, (_, index) => ({ id: `cli_${index + 1}` }));

interface Asked {
  readonly rows: object[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly isLast: boolean;
}

/** A list server that renders pages as the test wants. */
export function listing(answer: (asked: Asked, request: Received) => Reply, most = 200) {
  return (request: Received): Reply => {
    const page = Number(request.query.get('page') ?? 1);
    const perPage = Math.min(most, Number(request.query.get('per_page') ?? 50));
    const rows = clients.slice((page - 1) * perPage, page * perPage);
    return answer(
      { rows, page, perPage, total: clients.length, isLast: page * perPage >= clients.length },
      request,
    );
  };
}

/** The IDs of a whole list in the order read. */
export async function idsOf(client: TestClient): Promise<string[]> {
  const pages = await collect(client.clients.list());
  return pages.flatMap(({ rows }) => rows.map(({ id }) => id));
}

export const allIds = clients.map(({ id }) => id);
/** Responds with the documented shape. */
export const plain = listing(({ rows, page, perPage, total }) =>
  json({ data: rows, pagination: { page, per_page: perPage, total } }),
);
