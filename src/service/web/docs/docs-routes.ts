import type { FastifyInstance } from 'fastify';
import { SalonError } from '../../../contract/errors.ts';
import { addSafeguards, sendPage } from '../send-page.ts';

/** Serves the reference: a page that shows the OpenAPI document, and the files it loads. */
export function addDocs(app: FastifyInstance): void {
  app.get('/docs', async (_request, reply) => {
    const { docsPage } = await import('./docs-page.ts');
    return sendPage(reply, docsPage);
  });

  app.get<{ Params: { file: string } }>('/docs/:file', async ({ params, headers }, reply) => {
    if (params.file === '') {
      return reply.redirect('/docs', 308);
    }
    const { readDocsFile } = await import('./docs-files.ts');
    const file = await readDocsFile(params.file);
    if (file === undefined) {
      throw new SalonError('not_found', `There is nothing at /docs/${params.file}.`);
    }
    addSafeguards(reply).headers({
      'cache-control': 'no-cache',
      etag: file.tag,
      vary: 'Accept-Encoding',
    });
    if (headers['if-none-match'] === file.tag) {
      return reply.code(304).send();
    }
    reply.header('content-type', file.mediaType);
    return headers['accept-encoding']?.includes('gzip')
      ? reply.header('content-encoding', 'gzip').send(file.gzipped)
      : reply.send(file.bytes);
  });
}
