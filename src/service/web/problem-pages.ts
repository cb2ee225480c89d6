import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  isProblemCode,
  type ProblemCode,
  problems,
  SalonError,
  type Violation,
} from '../../contract/errors.ts';
import { type Html, html } from './html.ts';
import { type HtmlPage, sendPage } from './page-headers.ts';
import problemTexts from './problem-texts.json' with { type: 'json' };

/** Serves the list of problems and a page for each: HTML, or JSON if the `Accept` header asks for it. */
export function addProblemPages(app: FastifyInstance): void {
  app.get('/problems', (request, reply) => {
    reply.header('vary', 'Accept');
    return wantsJson(request)
      ? sendJson(reply, { data: codes.map(toJsonProblem) })
      : sendPage(reply, renderProblemList('Problems', introduction));
  });

  app.get<{ Params: { name: string } }>('/problems/:name', (request, reply) => {
    const { name } = request.params;
    const code = codes.find((known) => known === name.replaceAll('-', '_'));
    if (name === '') return reply.redirect('/problems', 308);
    if (code !== undefined && name.includes('_')) return reply.redirect(toPath(code), 308);
    reply.header('vary', 'Accept');
    if (code !== undefined) {
      return wantsJson(request)
        ? sendJson(reply, toJsonProblem(code))
        : sendPage(reply, renderProblem(code, request.server.baseUrl));
    }
    if (request.headers.accept?.includes('text/html')) {
      const unknown = html`<p>There is no problem with the code <code>${name}</code>. These are the known ones:</p>`;
      return sendPage(reply.code(404), renderProblemList('Unknown problem', unknown));
    }
    throw new SalonError('not_found', 'There is no problem with this code.', {
      members: { resource: 'problem', id: name },
    });
  });
}

/** When a problem happens, what the reader can do about it, and the members of an example that depend on its code. */
interface ProblemText {
  readonly meaning: string;
  readonly remedy: string;
  readonly example: { readonly detail: string; readonly errors?: readonly Violation[] };
}

const texts: Readonly<Record<ProblemCode, ProblemText>> = problemTexts;

const introduction = html`<p class="quiet">Every error response of the service is a problem document (RFC 9457) with one of these codes.</p>`;

const codes = Object.keys(problems).filter(isProblemCode);

function toPath(code: ProblemCode): string {
  return `/problems/${code.replaceAll('_', '-')}`;
}

function wantsJson({ headers }: FastifyRequest): boolean {
  return /application\/(?:problem\+)?json/.test(headers.accept ?? '');
}

function toJsonProblem(code: ProblemCode): object {
  return { code, ...problems[code] };
}

function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value));
}

function renderProblem(code: ProblemCode, origin: string): HtmlPage {
  const { status, title } = problems[code];
  const { meaning, remedy } = texts[code];
  return renderHtmlPage({
    title,
    body: html`<h1>${title}</h1>
<p class="quiet"><code>${code}</code>, HTTP status ${status}</p>
<h2>What it means</h2>
<p>${meaning}</p>
<h2>What to do</h2>
<p>${remedy}</p>
<h2>Example</h2>
<pre><code>${JSON.stringify(toExample(code, origin), undefined, 2)}</code></pre>`,
  });
}

function renderProblemList(title: string, introduction: Html): HtmlPage {
  return renderHtmlPage({ title, body: html`<h1>${title}</h1>\n${introduction}\n${renderList()}` });
}

function renderList(): Html {
  const entries = codes.map((code) => {
    const { status, title } = problems[code];
    return html`<li><a href="${toPath(code)}">${title}</a>
<span class="quiet"><code>${code}</code>, HTTP status ${status}</span></li>
`;
  });
  return html`<ul>
${entries}</ul>`;
}

/** A whole problem document; `origin` may be empty, which makes `type` relative. */
function toExample(code: ProblemCode, origin: string): object {
  const { status, title } = problems[code];
  const { detail, ...members } = texts[code].example;
  const requestId = '5f0c3a9e41d24b7c8e6a1f2b3c4d5e6f';
  return { type: `${origin}${toPath(code)}`, title, status, detail, code, request_id: requestId, ...members };
}

const style = html`
:root { color-scheme: light dark; --quiet: light-dark(#57606a, #9aa4ae); --line: light-dark(#d8dee4, #30363d);
  --ground: light-dark(#f6f8fa, #161b22); --link: light-dark(#0a58ca, #79b8ff) }
* { box-sizing: border-box }
body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem }
nav { display: flex; gap: 1.25rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line) }
a { color: var(--link) }
h1 { font-size: 1.9rem; line-height: 1.25; margin: 2.5rem 0 .5rem }
h2 { font-size: 1.1rem; margin: 2rem 0 .25rem }
p { margin: .25rem 0 }
code { font-size: .92em }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto }
.quiet { color: var(--quiet) }
ul { list-style: none; padding: 0 }
li { padding: .5rem 0; border-bottom: 1px solid var(--line) }
li .quiet { display: block }
`;

/** Allows nothing but the page's own style. */
const stylePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style.toString()).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders a page with a title around `body`. */
function renderHtmlPage({ title, body }: { title: string; body: Html }): HtmlPage {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<nav><a href="/docs">API reference</a> <a href="/problems">Problems</a></nav>
<main>
${body}
</main>
</body>
</html>
`;
  return { html: page.toString(), policy: stylePolicy };
}
