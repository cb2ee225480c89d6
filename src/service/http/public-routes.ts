import type { FastifyInstance } from 'fastify';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { toOpenApi } from './openapi.ts';

const jsonMediaType = 'application/json; charset=utf-8';
const index = { service: 'salon', docs: '/docs', openapi: '/openapi.json', health: '/healthz' };
const retryAfterMs = 5_000;

interface PublicRouteOptions {
  readonly publicUrl: string | undefined;
  readonly isReady: () => Promise<boolean>;
}

/** Adds the routes outside the version prefix that need no API key: `/`, which leads people to their settings, `/healthz` and `/openapi.json`. */
export function addPublicRoutes(app: FastifyInstance, { publicUrl = '', isReady }: PublicRouteOptions): void {
  let openApiText: string | undefined;

  app.get('/', ({ headers }, reply) => {
    reply.header('vary', 'Accept');
    if (headers.accept?.includes('text/html')) return reply.redirect('/settings', 303);
    return reply.header('content-type', jsonMediaType).send(JSON.stringify(index));
  });

  app.get('/healthz', async (_request, reply) => {
    if (!(await isReady())) {
      throw new SalonError('service_unavailable', 'The database is unreachable.', { retryAfterMs });
    }
    return reply.header('content-type', jsonMediaType).send('{"status":"ok"}');
  });

  app.get('/openapi.json', (_request, reply) => {
    openApiText ??= JSON.stringify(toOpenApi(endpoints, { origin: publicUrl }));
    reply.header('content-type', jsonMediaType).send(openApiText);
  });
}
