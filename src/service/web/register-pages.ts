import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import type { PageServices } from './visit.ts';
import type { PageRoute } from './web-page.ts';

/** Adds pages for people. The code that serves them is loaded with the first request. */
export function addPages(app: FastifyInstance, services: PageServices, routes: readonly PageRoute[]): void {
  app.register(async (scope) => {
    await scope.register(fastifyCookie);
    addPageErrors(scope, services);
    for (const route of routes) {
      scope.route({
        method: route.isGetOnly ? ['GET'] : ['GET', 'POST'],
        url: route.path,
        async handler(request, reply) {
          const { servePage } = await import('./serve-page.ts');
          return servePage({ services, route, request, reply });
        },
      });
    }
  });
}

/** Shows errors as pages. */
export function addPageErrors(scope: FastifyInstance, services: PageServices): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const { showError } = await import('./error-page.ts');
    return showError(services, error, { request, reply });
  });
}

const yearSeconds = 31_536_000;

/** Adds the files that pages load. */
export function addAssets(app: FastifyInstance): void {
  app.get('/assets/:file', async ({ url }, reply) => {
    const { readAssets } = await import('./assets.ts');
    const asset = Object.values(await readAssets()).find(({ path }) => path === url);
    if (asset === undefined) throw new SalonError('not_found', `There is nothing at ${url}.`);
    return reply
      .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('content-type', asset.mediaType)
      .send(asset.text);
  });
}
