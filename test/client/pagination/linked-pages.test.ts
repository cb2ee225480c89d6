import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../../src/client/dialect/dialect.ts';
import type { ResumePoint } from '../../../src/client/pagination/page.ts';
import { byAddress, rowsPerPage } from '../../support/address-list.ts';
import { collect } from '../../support/collect.ts';
import { allIds, clients, idsOf } from '../../support/list-server.ts';
import { json, openMisbehavingServer, problem } from '../../support/misbehaving-server.ts';
import { openClient, refusal } from '../../support/open-client.ts';
import { openRecognised } from '../../support/open-recognised.ts';

async function idsFrom(origin: string, from?: ResumePoint, dialect: Partial<Dialect> = {}) {
  await using client = openClient(origin, { retries: 0, dialect: { paging: 'link', ...dialect } });
  const pages = await collect(client.clients.list({}, { from }));
  return { ids: pages.flatMap(({ rows }) => rows.map(({ id }) => id)), resume: pages.at(-1)?.resume };
}

const ids = clients.map(({ id }) => id);

describe('a list with links but no page numbers', () => {
  it('ends after its last page, also if that is full', async () => {
    await using server = await openMisbehavingServer(byAddress);
    expect(await idsFrom(server.origin)).toMatchObject({ ids });
    expect(server.received).toHaveLength(clients.length / rowsPerPage);
  });

  it('ends with the page without a link, although that names the place of its rows', async () => {
    await using server = await openMisbehavingServer(({ query }) => {
      const start = Number(query.get('from') ?? 0);
      const next = start + 50 < ids.length ? { next: `/api/v1/clients?from=${start + 50}` } : {};
      const data = clients.slice(start, start + 50);
      return json({ data, paging: { cursors: { before: 'b', after: 'a' }, ...next } });
    });
    expect(await idsFrom(server.origin)).toMatchObject({ ids });
  });

  it('resumes by link', async () => {
    let isDown = true;
    await using server = await openMisbehavingServer((request) =>
      isDown && request.query.get('token') === '150' ? problem(500, 'internal_error') : byAddress(request),
    );
    const error = await refusal(idsFrom(server.origin));
    isDown = false;
    const from = error.members['resume_at'] as ResumePoint;
    expect(from).toMatchObject({ page: 4, rows: 150, cursor: '/api/v1/clients?token=150' });
    expect(await idsFrom(server.origin, from)).toMatchObject({ ids: ids.slice(150) });
  });

  it('has no more rows when resumed at its end', async () => {
    await using server = await openMisbehavingServer(byAddress);
    const { resume } = await idsFrom(server.origin);
    const from = { page: 1, perPage: rowsPerPage, rows: 0, ...resume, behind: ids };
    expect(await idsFrom(server.origin, from)).toMatchObject({ ids: [] });
    expect(server.received).toHaveLength(clients.length / rowsPerPage + 1);
  });

  it('cannot resume by page number', async () => {
    await using server = await openMisbehavingServer(byAddress);
    const error = await refusal(
      idsFrom(server.origin, { page: 4, perPage: rowsPerPage, rows: 150, behind: ids.slice(100, 150) }),
    );
    expect(error).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringMatching(/^This server cannot return page 4 by its number/),
    });
    expect(server.received).toHaveLength(1);
  });
});

describe('an expired link', () => {
  it('is replaced by its page number if the rows show that it is the right page', async () => {
    await using server = await openMisbehavingServer(({ query }) => {
      if (query.has('after')) return problem(400, 'invalid_parameter');
      const page = Number(query.get('page') ?? 1);
      const size = Number(query.get('per_page'));
      return json({ data: clients.slice(7 + (page - 1) * size, 7 + page * size), total: clients.length - 7 });
    });
    const from = { page: 4, perPage: rowsPerPage, rows: 150, cursor: '/api/v1/clients?page=4&after=x' };
    const byPage = { paging: 'page' } as const;
    const resumed = await idsFrom(server.origin, { ...from, behind: ids.slice(0, 150) }, byPage);
    expect(resumed).toMatchObject({ ids: ids.slice(150) });
    expect((await refusal(idsFrom(server.origin, from, byPage))).code).toBe('invalid_parameter');
  });
});

describe('a link to the next page', () => {
  it('is not followed if it loses the page size, so that no page has another size', async () => {
    await using server = await openMisbehavingServer(({ query }) => {
      const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 15)];
      const rows = clients.slice((page - 1) * size, page * size);
      const next = page * size < clients.length ? `http://inside:8080/api/v1/clients?page=${page + 1}` : null;
      return json({ data: rows, current_page: page, next_page_url: next });
    });
    await using client = openClient(server.origin, { dialect: { paging: 'page' } });
    expect(await idsOf(client)).toEqual(allIds);
    expect(server.received).toHaveLength(3);
  });

  it('to the same list elsewhere is followed here', async () => {
    await using server = await openMisbehavingServer(({ query }) => {
      const start = Number(query.get('token') ?? 0);
      const next = start + 50 < clients.length ? `http://inside:8080/clients?token=${start + 50}` : null;
      return json({ data: clients.slice(start, start + 50), next });
    });
    await using client = await openRecognised(server.origin);
    expect(await idsOf(client)).toEqual(allIds);
  });
});
