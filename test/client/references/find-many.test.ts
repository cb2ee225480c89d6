import { describe, expect, it } from 'vitest';
import { findManyClients, isLikelyId } from '../../../src/client/references/find-many.ts';
import { createPersonFinder } from '../../../src/client/references/person-finder.ts';
import { json, openMisbehavingServer, type Received } from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';

const rows = Array.from({ length: 1000 }, (_, index) => ({
  id: `cli_${index}`,
  first_name: index === 7 || index === 999 ? 'Zoë' : `Name${index}`,
  last_name: 'Lee',
  email: `${index}@example.com`,
  phone: `+4917${1_000_000 + index}`,
}));

/** A service of ours, as far as lists go: pages have a version, and the search finds one email address or name. */
function respond({ query }: Received) {
  const q = query.get('q');
  const page = Number(query.get('page') ?? 1);
  const found = rows.filter(({ email, first_name }) => q === null || email === q || first_name === q);
  const pagination = { page, per_page: 200, total: found.length };
  return json(
    { data: found.slice((page - 1) * 200, page * 200), pagination },
    { headers: { 'salon-collection-version': '1' } },
  );
}

async function findMany(references: readonly string[]) {
  await using server = await openMisbehavingServer(respond);
  await using client = openClient(server.origin);
  const people = await findManyClients(client, createPersonFinder(client), new Set(references));
  const found = references.map((text) => people.get(text)?.map(({ id }) => id) ?? []);
  return { found, requests: server.received.length };
}

describe('many references', () => {
  it('cost a request each if there are few', async () => {
    expect(await findMany(['5@example.com', '6@example.com'])).toEqual({
      found: [['cli_5'], ['cli_6']],
      requests: 2,
    });
    const three = await findMany(['5@example.com', '6@example.com', 'nobody']);
    expect(three).toEqual({ found: [['cli_5'], ['cli_6'], []], requests: 4 });
  });

  it('cost the pages of the list if there are many', async () => {
    const wanted = ['999@EXAMPLE.com', 'lee name3', '0171000004', '+49 171 000005', 'cli_12', 'Nobody'];
    expect(await findMany(wanted)).toEqual({
      found: [['cli_999'], ['cli_3'], ['cli_4'], ['cli_5'], ['cli_12'], []],
      requests: 5,
    });
  });

  it('show everybody whom one of them means', async () => {
    const twins = await findMany(['zoe lee', 'a', 'b', 'c', 'd', 'e']);
    expect(twins.found[0]).toEqual(['cli_7', 'cli_999']);
  });
});

describe('a text that is taken as an ID', () => {
  it.each([
    ['cli_01jd8m2v3q4r5s6t7v8w9x0y1z', true],
    ['sty_mia', true],
    ['17', true],
    ['cus_N2xYz', true],
    ['507f1f77bcf86cd799439011', true],
    ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', true],
    ['Mia', false],
    ['Mia2', false],
    ['0171 1234567', false],
    ['01711234567', false],
    ['+491711234567', false],
    ['ana.costa2026@example.com', false],
    ['Anneliese von der Leitner 2', false],
  ])('%s: %s', (text, expected) => {
    expect(isLikelyId(text)).toBe(expected);
  });
});
