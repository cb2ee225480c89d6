import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProblemCode, problems } from '../../../src/contract/errors.ts';
import problemTexts from '../../../src/service/web/problem-texts.json' with { type: 'json' };
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService, type TestService } from '../../support/service.ts';
import { createVisitor } from '../../support/visitor.ts';

const publicUrl = 'https://salon.example';
const codes = Object.keys(problems) as ProblemCode[];
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let service: TestService;
beforeAll(async () => {
  service = await openTestService({ config: { publicUrl } });
});
afterAll(() => service[Symbol.asyncDispose]());

function get(path: string, headers: Record<string, string> = {}) {
  return sendRequest(`${service.origin}${path}`, { headers });
}

function pathOf(code: ProblemCode): string {
  return `/problems/${code.replaceAll('_', '-')}`;
}

/** The URLs in a page's attributes. */
function readLinks(html: string): string[] {
  return [...html.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, link = '']) => link);
}

describe('every page', () => {
  it.each(['/docs', '/problems', '/problems/not-found', '/problems/nothing'])(
    'at %s loads only its own files and links nowhere else',
    async (path) => {
      const { headers, text } = await get(path, browser);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(readLinks(text).filter((link) => !/^\/[a-z]|^data:,$/.test(link))).toEqual([]);
    },
  );

  it('allows exactly its own style', async () => {
    const { headers, text } = await get('/problems', browser);
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${digest}'`);
  });

  it('has no broken links', async () => {
    const pages = await Promise.all(['/docs', '/problems'].map((path) => get(path, browser)));
    const links = pages.flatMap(({ text }) => readLinks(text)).filter((link) => link.startsWith('/'));
    const responses = await Promise.all(links.map(async (link) => [link, (await get(link)).status]));
    expect(responses.filter(([, status]) => status !== 200)).toEqual([]);
    expect(links.length).toBeGreaterThan(codes.length);
  });
});

describe('the API reference', () => {
  it('contains no absolute URL', async () => {
    const { text } = await get('/docs');
    expect(text).not.toContain('://');
    expect(toJson(await get('/openapi.json'))['servers']).toEqual([{ url: `${publicUrl}/api/v1` }]);
  });

  it.each(['swagger-ui-bundle.js', 'swagger-ui.css', 'docs.js', 'docs.css'])(
    'sends %s complete, compressed if accepted, and once',
    async (file) => {
      const plain = await get(`/docs/${file}`);
      expect(plain.status).toBe(200);
      expect(plain.headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      const known = await get(`/docs/${file}`, { 'if-none-match': plain.headers['etag'] ?? '' });
      expect([known.status, known.text]).toEqual([304, '']);
      const response = await fetch(`${service.origin}/docs/${file}`);
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(await response.text()).toBe(plain.text);
    },
  );

  it('redirects a trailing slash', async () => {
    const { status, headers } = await get('/docs/');
    expect([status, headers['location']]).toEqual([308, '/docs']);
  });

  it.each(['package.json', '..%2fpackage.json', 'constructor', 'index.html'])(
    'has no file "%s"',
    async (file) => {
      expect(toJson(await get(`/docs/${file}`))).toMatchObject({ status: 404, code: 'not_found' });
    },
  );
});

describe('a problem page', () => {
  it.each(codes)('explains %s, with an example', async (code) => {
    const { status, title } = problems[code];
    const { seen } = await createVisitor(service.origin).open(pathOf(code));
    const { meaning, remedy } = problemTexts[code];
    for (const part of [title, meaning, remedy]) expect(seen).toContain(part);
    const example = JSON.parse(/Example (\{.*\})/.exec(seen)?.[1] ?? '');
    const detail = problemTexts[code].example.detail;
    expect(example).toMatchObject({ type: `${publicUrl}${pathOf(code)}`, title, status, code, detail });
  });

  it('is HTML by default, and JSON if the Accept header asks for it', async () => {
    const accepts = ['*/*', 'text/html', 'application/json', 'application/problem+json'];
    const types = await Promise.all(
      accepts.map(async (accept) => (await get('/problems/not-found', { accept })).headers['content-type']),
    );
    const [html, json] = ['text/html; charset=utf-8', 'application/json; charset=utf-8'];
    expect(types).toEqual([html, html, json, json]);
  });

  it('with an unknown code lists the known ones in a browser', async () => {
    const { status, text } = await get('/problems/%3Cscript%3E', browser);
    expect(status).toBe(404);
    expect(text).toContain('<code>&lt;script&gt;</code>');
    expect(readLinks(text)).toEqual(expect.arrayContaining(codes.map(pathOf)));
  });

  it('redirects underscores and a trailing slash', async () => {
    const moved = async (path: string) => {
      const { status, headers } = await get(path);
      return [status, headers['location']];
    };
    expect(await moved('/problems/not_found')).toEqual([308, '/problems/not-found']);
    expect(await moved('/problems/')).toEqual([308, '/problems']);
  });

  it('with an unknown code is a problem document for a program', async () => {
    expect(toJson(await get('/problems/no_thing%0D%0A'))).toMatchObject({ code: 'not_found' });
    expect(toJson(await get('/problems/nothing'))).toMatchObject({ code: 'not_found', id: 'nothing' });
  });
});

it('the problem list is JSON if the Accept header asks for it', async () => {
  const response = await get('/problems', { accept: 'application/json' });
  expect(toJson(response)['data']).toEqual(codes.map((code) => ({ code, ...problems[code] })));
});
