import type { FastifyInstance } from 'fastify';
import { endpoints } from '../../contract/endpoints.ts';
import { isProblemCode, SalonError } from '../../contract/errors.ts';
import { toOpenApi } from './openapi.ts';
import { renderProblemPage, toProblemExplanation } from './problem-pages.ts';

const jsonMediaType = 'application/json; charset=utf-8';
const entranceText = JSON.stringify({ service: 'salon', openapi: '/openapi.json', health: '/healthz' });
const retryAfterMs = 5_000;

interface EntranceParts {
  readonly publicUrl: string | undefined;
  readonly isReady: () => Promise<boolean>;
}

/** Serves what stands outside the version's prefix and asks for no credential. */
export function addEntrance(app: FastifyInstance, { publicUrl = '', isReady }: EntranceParts): void {
  const openApiText = JSON.stringify(toOpenApi(endpoints, { origin: publicUrl }));

  app.get('/', (_request, reply) => {
    reply.header('content-type', jsonMediaType).send(entranceText);
  });

  app.get('/healthz', async (_request, reply) => {
    if (!(await isReady())) {
      throw new SalonError('service_unavailable', 'The database does not answer.', { retryAfterMs });
    }
    return reply.header('content-type', jsonMediaType).send('{"status":"ok"}');
  });

  app.get('/openapi.json', (_request, reply) => {
    reply.header('content-type', jsonMediaType).send(openApiText);
  });

  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const code = request.params.code.replaceAll('-', '_');
    if (!isProblemCode(code) || request.params.code.includes('_')) {
      throw new SalonError('not_found', 'There is no problem with this code.', {
        members: { resource: 'problem', id: request.params.code },
      });
    }
    reply.header('vary', 'Accept');
    if (request.headers.accept?.includes('application/json')) {
      reply.header('content-type', jsonMediaType).send(JSON.stringify(toProblemExplanation(code)));
      return;
    }
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(renderProblemPage(code));
  });
}
