import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageServices } from '../web/visit.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { Issuer } from './issuer.ts';
import { paths } from './metadata.ts';

export interface OauthPages {
  readonly services: PageServices;
  open(): Promise<AuthorizationServer>;
  /** Throws where there is no OAuth. */
  readIssuer(request: FastifyRequest): Issuer;
}

/** Enough for every form. */
const formBytes = 65_536;

/** Shows errors as pages. */
export function addPageErrors(scope: FastifyInstance, services: PageServices): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const { refuseRequest } = await import('../web/serve-page.ts');
    return refuseRequest(services, error, { request, reply });
  });
}

/** Adds the pages on which people let apps act for them. */
export function addOauthPages(app: FastifyInstance, { services, open, readIssuer }: OauthPages): void {
  app.register(async (scope) => {
    addPageErrors(scope, services);
    const method = ['GET', 'POST'];
    const consent = async (request: FastifyRequest, reply: FastifyReply) => {
      const [{ servePage }, { createConsentPage }] = await Promise.all([
        import('../web/serve-page.ts'),
        import('./consent-page.ts'),
      ]);
      const provider = (await open()).provider(readIssuer(request));
      const page = createConsentPage({ provider, request: request.raw, response: reply.raw });
      return servePage(services, page, { request, reply });
    };
    scope.route({ method, url: '/oauth/consent/:uid', bodyLimit: formBytes, handler: consent });

    const device = async (request: FastifyRequest, reply: FastifyReply) => {
      const [{ servePage }, { devicePage }] = await Promise.all([
        import('../web/serve-page.ts'),
        import('./device-page.ts'),
      ]);
      return servePage(services, devicePage, { request, reply });
    };
    scope.route({ method, url: paths.device, bodyLimit: formBytes, handler: device });
  });
}
