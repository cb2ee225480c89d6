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

const docsStyle = `
body { margin: 0; background: #fff }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .9rem 20px; border-bottom: 1px solid #d8dee4;
  font: 1rem system-ui, sans-serif }
nav a { color: #0a58ca }
.swagger-ui .info { margin: 1.5rem 0 }
.swagger-ui .scheme-container { box-shadow: none; border-bottom: 1px solid #d8dee4; padding: 1rem 0 }
.salon-search { margin: 1.25rem 0 }
.swagger-ui .salon-search input[type='search'] { width: 100%; max-width: none; margin: 0; padding: .6rem .75rem; font-size: 1rem }
.salon-badge { flex: none; border: 1px solid; border-radius: 1rem; padding: .05rem .6rem; margin: 0 .6rem;
  font: 600 .75rem system-ui, sans-serif }
.salon-documented { color: #116329 }
.salon-extension { color: #6639a6 }
@media (max-width: 40rem) {
  .swagger-ui .wrapper { padding: 0 .75rem }
  .swagger-ui .opblock .opblock-summary-path { max-width: none; flex: 1 1 auto }
  .salon-badge { align-self: flex-start; margin: .1rem 0; padding: 0 .4rem; font-size: .65rem }
  .swagger-ui .opblock-body, .swagger-ui .table-container { overflow-x: auto }
}
`;

/** Runs in the browser. The search covers operations; Swagger UI's own only covers tags. */
const docsScript = `'use strict';

const salon = ({ React, getSystem }) => ({
  wrapComponents: {
    OperationSummaryPath: (Original) => (props) => {
      const [path, method] = ['path', 'method'].map((name) => props.operationProps.get(name));
      const document = getSystem().specSelectors.specJson();
      const standing = document.getIn(['paths', path, method, 'x-standing'])
        || document.getIn(['webhooks', path, method, 'x-standing']);
      const badge = standing && React.createElement('span', {
        key: 'badge',
        className: 'salon-badge salon-' + standing,
      }, standing);
      return [React.createElement(Original, { ...props, key: 'path' }), badge];
    },
  },
  components: {
    FilterContainer: ({ layoutActions, layoutSelectors }) => React.createElement(
      'div',
      { className: 'wrapper salon-search' },
      React.createElement('input', {
        type: 'search',
        placeholder: 'Search operations',
        'aria-label': 'Search operations',
        value: asText(layoutSelectors.currentFilter()),
        onChange: ({ target }) => layoutActions.updateFilter(target.value || true),
      }),
    ),
  },
  fn: {
    opsFilter: (tags, phrase) => {
      const words = phrase.toLowerCase().split(/\\s+/);
      const matches = (operation) => {
        const fields = ['summary', 'operationId', 'x-standing'].map((name) => operation.getIn(['operation', name]));
        const text = [operation.get('method'), operation.get('path'), ...fields].join(' ').toLowerCase();
        return words.every((word) => text.includes(word));
      };
      return tags
        .map((tag) => tag.update('operations', (operations) => operations.filter(matches)))
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
});

// Without a search, Swagger UI's filter is true.
function asText(filter) {
  return typeof filter === 'string' ? filter : '';
}

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  plugins: [salon],
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});
`;

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

interface DocsSource {
  readonly mediaType: string;
  readonly read: () => Promise<Uint8Array>;
}

/** The files that the page loads. */
export const docsSources: ReadonlyMap<string, DocsSource> = new Map<string, DocsSource>([
  ['docs.js', { mediaType: javascript, read: async () => Buffer.from(docsScript) }],
  ['docs.css', { mediaType: css, read: async () => Buffer.from(docsStyle) }],
  ['swagger-ui-bundle.js', { mediaType: javascript, read: () => readPackagedFile('swagger-ui-bundle.js') }],
  ['swagger-ui.css', { mediaType: css, read: () => readPackagedFile('swagger-ui.css') }],
]);

export async function readDocsFile({ mediaType, read }: DocsSource) {
  const bytes = await read();
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { mediaType, bytes, gzipped: await promisify(gzip)(bytes), tag };
}

export type DocsFile = Awaited<ReturnType<typeof readDocsFile>>;
