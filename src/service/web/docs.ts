import type { FastifyInstance } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import type { DocsFile } from './docs-page.ts';
import { addSecurityHeaders, sendPage } from './page-headers.ts';

/**
 * Serves the API reference: Swagger UI over `/openapi.json`. Its code is loaded, and its files are read and compressed,
 * on the first request. The plugin `@fastify/swagger-ui` is not registered: it sends 2.1 MB uncompressed, has no
 * viewport for phones and no problem documents, and Fastify cannot register it after the start, which its loading would
 * slow down.
 */
export function addDocs(app: FastifyInstance): void {
  const files = new Map<string, Promise<DocsFile>>();
  const loadPage = () => import('./docs-page.ts');

  app.get('/docs', async (_request, reply) => sendPage(reply, (await loadPage()).docsPage));

  app.get<{ Params: { file: string } }>('/docs/:file', async ({ params: { file: name }, headers }, reply) => {
    if (name === '') return reply.redirect('/docs', 308);
    const file = files.get(name) ?? (await loadPage()).readDocsFile(name);
    if (file === undefined) throw new SalonError('not_found', `There is nothing at /docs/${name}.`);
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
