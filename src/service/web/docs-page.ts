import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readPackagedFile } from '../../packaged-files.ts';
import type { HtmlPage } from './page-headers.ts';

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Salon: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<nav><strong>API reference</strong> <a href="/problems">Problems</a> <a href="/openapi.json">OpenAPI document</a></nav>
<main id="reference"><noscript>This page needs JavaScript. You can also read <a href="/openapi.json">the OpenAPI document</a>.</noscript></main>
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/docs.js" defer></script>
</body>
</html>
`;

/** No foreign requests and nothing inline. Swagger UI has its icons in data: URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page with Swagger UI. */
export const docsPage: HtmlPage = { html, policy };

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

/** The files that the page loads, and their types. */
const mediaTypes = {
  'docs.js': javascript,
  'docs.css': css,
  'swagger-ui-bundle.js': javascript,
  'swagger-ui.css': css,
} as const;

/** Undefined for a file that the page does not load. */
export function readDocsFile(name: string): Promise<DocsFile> | undefined {
  return Object.hasOwn(mediaTypes, name) ? readFile(name as keyof typeof mediaTypes) : undefined;
}

async function readFile(name: keyof typeof mediaTypes) {
  const bytes = await readPackagedFile(name);
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { mediaType: mediaTypes[name], bytes, gzipped: await promisify(gzip)(bytes), tag };
}

export type DocsFile = Awaited<ReturnType<typeof readFile>>;
