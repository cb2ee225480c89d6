import type { FastifyInstance } from 'fastify';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { toOpenApi } from './openapi.ts';

const jsonMediaType = 'application/json; charset=utf-8';
const entranceText = JSON.stringify({
  service: 'salon',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/healthz',
});
const retryAfterMs = 5_000;

interface EntranceParts {
  readonly publicUrl: string | undefined;
  readonly isReady: () => Promise<boolean>;
}

/** Serves what stands outside the version's prefix and asks for no credential. */
export function addPublicRoutes(app: FastifyInstance, { publicUrl = '', isReady }: EntranceParts): void {
  let openApiText: string | undefined;

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
    openApiText ??= JSON.stringify(toOpenApi(endpoints, { origin: publicUrl }));
    reply.header('content-type', jsonMediaType).send(openApiText);
  });
}
