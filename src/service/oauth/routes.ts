import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { prefixes } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import { resourceMetadataPath } from '../../contract/oauth-client.ts';
import type { Environment } from '../domain/context.ts';
import { createWindowLimiter } from '../domain/window-limit.ts';
import { toClientAddress } from '../identity/address-ranges.ts';
import { toAddressLimit } from '../identity/password-sign-in.ts';
import { addPageErrors, addPages } from '../web/register-pages.ts';
import type { PageServices } from '../web/visit.ts';
import type { OidcServer } from './authorization-server.ts';
import {
  authorizationPaths,
  findIssuer,
  findIssuerByPath,
  type Issuer,
  paths,
  type Reach,
  toResourceMetadata,
  toServerMetadata,
} from './issuer.ts';

export interface OauthOptions {
  readonly services: PageServices;
  /** Known once the service listens. */
  readonly reach: () => Reach;
}

/** Serves OAuth 2.0. The code of its endpoints is loaded on the first request to one of them. */
export function addOauth(app: FastifyInstance, { services, reach }: OauthOptions): void {
  let opened: Promise<OidcServer> | undefined;
  const open = () => {
    opened ??= openServer();
    // A failed import is repeated on the next request.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  const openServer = async () => {
    const { createAuthorizationServer } = await import('./authorization-server.ts');
    return createAuthorizationServer({
      database: services.context.database,
      environment: services.context.environment,
      logError: (error) => app.log.error({ err: error }, 'OAuth request failed'),
    });
  };

  const serveMetadata = (path: string, toMetadata: (issuer: Issuer) => object) =>
    app.get(path, (request, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' })
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(toMetadata(readIssuer(request)))),
    );
  serveMetadata('/.well-known/oauth-authorization-server', toServerMetadata);
  for (const path of ['', ...prefixes]) {
    serveMetadata(`${resourceMetadataPath}${path}`, (issuer) => toResourceMetadata(issuer, path));
  }

  const readIssuer = ({ headers }: FastifyRequest) =>
    assertIssuer(findIssuer(headers.host ?? '', reach()), reach());

  // The provider answers in a hook, which runs before the body is read: it reads that itself.
  const answer = async (issuer: Issuer, request: FastifyRequest, reply: FastifyReply) => {
    const server = await open();
    reply.hijack();
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...securityHeaders })) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await server.handle({
      issuer,
      source: { requestId: request.id, address: toClientAddress(request) },
      request: request.raw,
      response: reply.raw,
    });
  };
  const handler = () => {
    throw new Error('The provider has answered already.');
  };
  const limit = createRequestLimit(services.context.environment);
  app.register(async (scope) => {
    addPageErrors(scope, services);
    for (const path of authorizationPaths) {
      const readPageIssuer = () => assertIssuer(findIssuerByPath(path, reach()), reach());
      const begin = async (request: FastifyRequest, reply: FastifyReply) => {
        const issuer = readPageIssuer();
        const isElsewhere = `http://${request.headers.host}` !== issuer.pageOrigin;
        if (reach().isLoopbackOnly && isElsewhere) {
          return reply.redirect(`${issuer.pageOrigin}${request.url}`, 307);
        }
        limit(toClientAddress(request));
        return answer(issuer, request, reply);
      };
      const resume = (request: FastifyRequest, reply: FastifyReply) =>
        answer(readPageIssuer(), request, reply);
      const route = { method: 'GET', exposeHeadRoute: false, handler } as const;
      scope.route({ ...route, url: path, onRequest: begin });
      scope.route({ ...route, url: `${path}/:uid`, onRequest: resume });
    }
  });
  for (const url of [paths.token, paths.deviceAuthorization, paths.revocation, paths.introspection]) {
    app.route({
      method: 'POST',
      url,
      onRequest: async (request, reply) => {
        if (url === paths.deviceAuthorization) limit(toClientAddress(request));
        return answer(readIssuer(request), request, reply);
      },
      handler,
    });
  }
  addPages(app, services, [
    {
      path: '/oauth/consent/:uid',
      action: 'none',
      async load({ request, reply }) {
        const provider = (await open()).provider(readIssuer(request));
        const { createConsentPage } = await import('./consent-page.ts');
        return createConsentPage({ provider, request: request.raw, response: reply.raw });
      },
    },
    {
      path: paths.device,
      action: 'none',
      load: async () => (await import('./device-page.ts')).devicePage,
    },
  ]);
}

const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-frame-options': 'DENY',
} as const;

/** Throws `not_found` where there is no OAuth, with what to do about it. */
function assertIssuer(issuer: Issuer | undefined, reach: Reach): Issuer {
  if (issuer !== undefined) return issuer;
  const message = reach.isLoopbackOnly
    ? 'This service is reached under localhost or 127.0.0.1 only.'
    : 'OAuth needs HTTPS: start the service with its public https URL.';
  throw new SalonError('not_found', message);
}

/** Requests without credentials from an address: 60 at once, and then one a second. */
const requestLimit = { burst: 60, intervalMs: 1_000 };
const retryAfterMs = 60_000;

/**
 * Limits what unauthenticated requests can store: requests of apps and devices that wait for a person. Counts within
 * this process. Throws `rate_limited`.
 */
function createRequestLimit(environment: Environment): (address: string | null) => void {
  const limiter = createWindowLimiter(() => environment.now().getTime());
  return (address) => {
    const { key } = toAddressLimit(address);
    if (limiter({ ...requestLimit, key }) === 0) return;
    const message = 'Too many requests from this address. Wait a minute and try again.';
    throw new SalonError('rate_limited', message, { retryAfterMs });
  };
}
