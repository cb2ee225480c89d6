import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import { docsPage, docsScript, docsStyle } from './docs-page.ts';
import { addSecurityHeaders, sendPage } from './page.ts';

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

interface DocsSource {
  readonly mediaType: string;
  readonly read: () => Promise<Uint8Array>;
}

/** The files that the page loads. Swagger UI's come from the package. */
const sources = new Map<string, DocsSource>([
  ['docs.js', { mediaType: javascript, read: async () => Buffer.from(docsScript) }],
  ['docs.css', { mediaType: css, read: async () => Buffer.from(docsStyle) }],
  ...['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => {
    const read = () => readFile(fileURLToPath(import.meta.resolve(`@fastify/swagger-ui/static/${name}`)));
    return [name, { mediaType: name.endsWith('.js') ? javascript : css, read }] as const;
  }),
]);

/**
 * Serves the API reference: Swagger UI over `/openapi.json`. The files are read and compressed on the first request.
 * The plugin `@fastify/swagger-ui` is not registered: it sends 2.1 MB uncompressed, has no viewport for phones and no
 * problem documents, and Fastify cannot register it after the start, which its loading would slow down.
 */
export function addDocs(app: FastifyInstance): void {
  const files = new Map<string, ReturnType<typeof readDocsFile>>();

  app.get('/docs', (_request, reply) => sendPage(reply, docsPage));

  app.get<{ Params: { file: string } }>('/docs/:file', async ({ params: { file: name }, headers }, reply) => {
    if (name === '') return reply.redirect('/docs', 308);
    const source = sources.get(name);
    if (source === undefined) throw new SalonError('not_found', `There is nothing at /docs/${name}.`);
    const file = files.get(name) ?? readDocsFile(source);
    files.set(name, file);
    // A failed read is repeated on the next request.
    file.catch(() => files.delete(name));
    const { mediaType, bytes, gzipped, tag } = await file;
    addSecurityHeaders(reply).headers({ 'cache-control': 'no-cache', etag: tag, vary: 'Accept-Encoding' });
    if (headers['if-none-match'] === tag) return reply.code(304).send();
    reply.header('content-type', mediaType);
    return headers['accept-encoding']?.includes('gzip')
      ? reply.header('content-encoding', 'gzip').send(gzipped)
      : reply.send(bytes);
  });
}

async function readDocsFile({ mediaType, read }: DocsSource) {
  const bytes = await read();
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return { mediaType, bytes, gzipped: await promisify(gzip)(bytes), tag };
}
