import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';

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

/** An HTML page and its Content-Security-Policy. */
export interface HtmlPage {
  readonly html: string;
  readonly policy: string;
}

/** Allows nothing but the page's own style. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style.toString()).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders a page with a title around `body`. */
export function renderHtmlPage({ title, body }: { title: string; body: Html }): HtmlPage {
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
  return { html: page.toString(), policy };
}

export function sendPage(reply: FastifyReply, { html, policy }: HtmlPage): FastifyReply {
  return addSecurityHeaders(reply)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .send(html);
}

/** Disables content sniffing, referrers and cross-origin embedding. */
export function addSecurityHeaders(reply: FastifyReply): FastifyReply {
  return reply
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin');
}
