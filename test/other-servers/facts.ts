import type { Row } from '../support/servers/client-store.ts';

/** What a server answers with 60 clients, whose IDs count from 1. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A fact about a kind of server: what it answers to a GET below the path of its lists. */
interface Fact {
  readonly fact: string;
  readonly path: string;
  /** What of the answer shows it. */
  readonly shown: (answer: Answer) => unknown;
  readonly expected: unknown;
}

const asFields = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Row) : {});
const countOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const status = ({ status: code }: Answer) => code;
const rows = ({ body }: Answer) => countOf(body);
const idsOf = (value: unknown) =>
  Array.isArray(value) ? value.map((row) => String(asFields(row)['id'])) : undefined;
/** The members of a page, and how many rows it has under one of them. */
const members =
  (key: string, ...names: readonly string[]) =>
  ({ body }: Answer) => [countOf(asFields(body)[key]), ...names.map((name) => asFields(body)[name])];

/** Seen on the real software, so that stubs have to agree. */
const facts = {
  feathers: [
    {
      fact: 'has pages of 10 without a limit',
      path: '/clients',
      shown: members('data', 'total', 'limit', 'skip'),
      expected: [10, 60, 10, 0],
    },
    {
      fact: 'lowers a larger limit in silence',
      path: '/clients?$limit=100&$skip=5',
      shown: members('data', 'total', 'limit', 'skip'),
      expected: [50, 60, 50, 5],
    },
    {
      fact: 'has an empty page beyond the end',
      path: '/clients?$skip=60',
      shown: members('data', 'total'),
      expected: [0, 60],
    },
    {
      fact: 'takes an unknown parameter for a filter that nothing matches, and counts so',
      path: '/clients?page=1&per_page=5',
      shown: members('data', 'total'),
      expected: [0, 0],
    },
    {
      fact: 'takes an order in the usual form for such a filter, too',
      path: '/clients?sort=last_name',
      shown: members('data', 'total'),
      expected: [0, 0],
    },
    {
      fact: 'never finds a number by its text',
      path: '/clients?loyalty_number=7',
      shown: members('data', 'total'),
      expected: [0, 0],
    },
    {
      fact: 'finds text',
      path: '/clients?email=client7@example.com',
      shown: members('data', 'total'),
      expected: [1, 1],
    },
    {
      fact: 'says in JSON that a record is missing',
      path: '/clients/none_such',
      shown: ({ status: code, body }) => [code, asFields(body)['name']],
      expected: [404, 'NotFound'],
    },
  ],
  jsonServer: [
    { fact: 'sends all rows without a page', path: '/clients', shown: rows, expected: 60 },
    {
      fact: 'has pages of 10 without a size',
      path: '/clients?_page=2',
      shown: members('data', 'prev', 'next', 'last', 'pages', 'items'),
      expected: [10, 1, 3, 6, 6, 60],
    },
    {
      fact: 'repeats its last page beyond the end',
      path: '/clients?_page=9&_per_page=25',
      shown: ({ body }) => [
        idsOf(asFields(body)['data'])?.[0],
        asFields(body)['next'],
        asFields(body)['items'],
      ],
      expected: ['51', null, 60],
    },
    {
      fact: 'takes an unknown parameter for a filter that nothing matches',
      path: '/clients?_page=1&per_page=5',
      shown: members('data', 'items'),
      expected: [0, 0],
    },
    {
      fact: 'ignores the size without a page',
      path: '/clients?_per_page=5',
      shown: rows,
      expected: 60,
    },
    { fact: 'says that a record is missing', path: '/clients/none_such', shown: status, expected: 404 },
  ],
  loopback: [
    { fact: 'sends all rows, without a total', path: '/clients', shown: rows, expected: 60 },
    { fact: 'ignores unknown parameters', path: '/clients?limit=5&page=2&q=x', shown: rows, expected: 60 },
    {
      fact: 'reads limit and skip in filter',
      path: '/clients?filter[limit]=5&filter[skip]=58',
      shown: rows,
      expected: 2,
    },
    {
      fact: 'reads filter[where]',
      path: '/clients?filter[where][email]=client7@example.com',
      shown: ({ body }) => idsOf(body),
      expected: ['7'],
    },
    {
      fact: 'has an empty list beyond the end',
      path: '/clients?filter[skip]=60&filter[limit]=5',
      shown: rows,
      expected: 0,
    },
    {
      fact: 'refuses an ID of another form',
      path: '/clients/none_such',
      shown: status,
      expected: 400,
    },
  ],
  djangoCursor: [
    {
      fact: 'has no total',
      path: '/clients/?page_size=25',
      shown: ({ body }) => [Object.keys(asFields(body)).sort(), countOf(asFields(body)['results'])],
      expected: [['next', 'previous', 'results'], 25],
    },
    {
      fact: 'ends with no next link',
      path: '/clients/?page_size=60',
      shown: members('results', 'next', 'previous'),
      expected: [60, null, null],
    },
    {
      fact: 'ignores page numbers',
      path: '/clients/?page=9&page_size=25',
      shown: members('results', 'previous'),
      expected: [25, null],
    },
  ],
  djangoPage: [
    {
      fact: 'has a total and links',
      path: '/clients/?page=3&page_size=25',
      shown: members('results', 'count', 'next'),
      expected: [10, 60, null],
    },
    {
      fact: 'has no page beyond the end',
      path: '/clients/?page=4&page_size=25',
      shown: status,
      expected: 404,
    },
    {
      fact: 'lowers a larger page in silence',
      path: '/clients/?page_size=1000',
      shown: members('results', 'count'),
      expected: [60, 60],
    },
    {
      fact: 'ignores unknown parameters',
      path: '/clients/?per_page=5&none_such=1&page_size=25',
      shown: members('results', 'count'),
      expected: [25, 60],
    },
  ],
  djangoLimit: [
    {
      fact: 'has an empty page beyond the end',
      path: '/clients/?limit=25&offset=60',
      shown: members('results', 'count', 'next'),
      expected: [0, 60, null],
    },
    {
      fact: 'ignores page numbers',
      path: '/clients/?page=9&limit=25',
      shown: members('results', 'count'),
      expected: [25, 60],
    },
  ],
  fastapi: [
    { fact: 'ignores unknown parameters', path: '/clients?per_page=5&page=9', shown: rows, expected: 60 },
    { fact: 'refuses a larger page', path: '/clients?limit=1000', shown: status, expected: 422 },
    { fact: 'has an empty list beyond the end', path: '/clients?skip=60', shown: rows, expected: 0 },
    { fact: 'refuses an ID of another form', path: '/clients/none_such', shown: status, expected: 422 },
  ],
  strapi: [
    {
      fact: 'has an empty page beyond the end',
      path: '/api/clients?pagination[page]=9&pagination[pageSize]=25',
      shown: members('data'),
      expected: [0],
    },
    {
      fact: 'lowers a larger page in silence',
      path: '/api/clients?pagination[pageSize]=1000',
      shown: ({ body }) => asFields(asFields(asFields(body)['meta'])['pagination'])['pageSize'],
      expected: 100,
    },
    {
      fact: 'ignores unknown parameters',
      path: '/api/clients?per_page=5&none_such=1',
      shown: members('data'),
      expected: [25],
    },
  ],
} as const satisfies Readonly<Record<string, readonly Fact[]>>;

export type FactsOf = keyof typeof facts;

/** The facts that differ at an address, with what is shown instead. */
export async function findOtherFacts(baseUrl: string, of: FactsOf): Promise<readonly string[]> {
  const others: string[] = [];
  for (const { fact, path, shown, expected } of facts[of] as readonly Fact[]) {
    const response = await fetch(baseUrl + path, { headers: { authorization: 'Bearer invented' } });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const found = JSON.stringify(shown({ status: response.status, body: isJson ? JSON.parse(text) : text }));
    if (found !== JSON.stringify(expected)) others.push(`${fact}: ${found}`);
  }
  return others;
}
