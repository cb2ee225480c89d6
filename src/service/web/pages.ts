import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SalonError } from '../../contract/errors.ts';
import type { PageServices } from './visit.ts';

const yearSeconds = 31_536_000;

/** Routes, and the names of their pages, which are loaded with the first request. */
const routes = {
  '/settings': 'settings',
  '/settings/*': 'settings',
  '/sign-in': 'signIn',
  '/sign-in/code': 'code',
  '/sign-in/confirm': 'confirm',
  '/sign-in/passkey-options': 'passkeyOptions',
  '/invitation/:token': 'invitation',
  '/reset': 'requestReset',
  '/reset/:token': 'reset',
  '/sign-out': 'signOut',
  '/account-switch': 'accountSwitch',
} as const;

/** Adds the pages for people: sign-in and settings. */
export function addPages(app: FastifyInstance, services: PageServices): void {
  app.register(async (scope) => {
    scope.setErrorHandler(async (error, request, reply) => {
      const { refuseRequest } = await import('./serve-page.ts');
      return refuseRequest(services, error, { request, reply });
    });
    for (const [url, name] of Object.entries(routes)) {
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const [{ servePage }, { pages }] = await Promise.all([
          import('./serve-page.ts'),
          import('./page-table.ts'),
        ]);
        return servePage(services, pages[name], { request, reply });
      };
      scope.route({ method: ['GET', 'POST'], url, handler });
    }
  });

  app.get('/assets/:file', async ({ url }, reply) => {
    const { assets } = await import('./assets.ts');
    const asset = Object.values(assets).find(({ path }) => path === url);
    if (asset === undefined) throw new SalonError('not_found', `There is nothing at ${url}.`);
    return reply
      .header('cache-control', `public, max-age=${yearSeconds}, immutable`)
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'same-origin')
      .header('content-type', asset.mediaType)
      .send(asset.text);
  });
}
