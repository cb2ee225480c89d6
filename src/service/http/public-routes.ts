import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { checkNames, type ReadinessReport } from '../monitoring/readiness.ts';
import { readBearer } from './authentication.ts';
import { toOpenApi } from './openapi.ts';

const jsonMediaType = 'application/json; charset=utf-8';
const index = {
  ...{ service: 'salon', docs: '/docs', openapi: '/openapi.json' },
  ...{ health: '/healthz', readiness: '/readyz' },
};
const retryAfterMs = 5_000;

export interface PublicRouteOptions {
  /** The origin that clients use; by default the one the server listens on. */
  readonly publicUrl?: string | undefined;
  readonly checkReadiness: () => Promise<ReadinessReport>;
  /** Serves metrics to requests with the token. */
  readonly scrapes?: { readonly metrics: Metrics; readonly token: string } | undefined;
}

/**
 * Adds the routes outside the version prefix that need no API key: `/`, which leads people to their settings, `/healthz`,
 * `/readyz` and `/openapi.json`; and `/metrics` with its token.
 */
export function addPublicRoutes(
  app: FastifyInstance,
  { publicUrl = '', checkReadiness, scrapes }: PublicRouteOptions,
): void {
  let openApiText: string | undefined;

  app.get('/', ({ headers }, reply) => {
    reply.header('vary', 'Accept');
    if (headers.accept?.includes('text/html')) return reply.redirect('/settings', 303);
    return reply.header('content-type', jsonMediaType).send(JSON.stringify(index));
  });

  // Also without a database: restarting the process would not help.
  app.get('/healthz', (_request, reply) => {
    reply.header('content-type', jsonMediaType).send('{"status":"ok"}');
  });

  app.get<{ Querystring: { text: string } }>('/readyz', async ({ query }, reply) => {
    const excluded = new URLSearchParams(query.text).getAll('exclude');
    const checks = await checkReadiness();
    const failed = checkNames.filter((name) => checks[name] !== 'ok' && !excluded.includes(name));
    if (failed.length > 0) {
      const reasons = failed.map((name) => `${name}: ${checks[name]}`).join('; ');
      throw new SalonError('service_unavailable', `Not ready: ${reasons}.`, {
        retryAfterMs,
        members: { checks },
      });
    }
    return reply.header('content-type', jsonMediaType).send(JSON.stringify({ status: 'ok', checks }));
  });

  if (scrapes !== undefined) addMetrics(app, scrapes);

  app.get('/openapi.json', (_request, reply) => {
    openApiText ??= JSON.stringify(toOpenApi(endpoints, { origin: publicUrl }));
    reply.header('content-type', jsonMediaType).send(openApiText);
  });
}

function addMetrics(
  app: FastifyInstance,
  { metrics, token }: NonNullable<PublicRouteOptions['scrapes']>,
): void {
  const expected = hash('sha256', token, 'buffer');
  app.get('/metrics', async ({ raw }, reply) => {
    const given = hash('sha256', readBearer(raw.rawHeaders), 'buffer');
    if (!timingSafeEqual(given, expected)) {
      throw new SalonError('invalid_token', 'The metrics token is wrong.');
    }
    return reply.header('content-type', metrics.contentType).send(await metrics.render());
  });
}
