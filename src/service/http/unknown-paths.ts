import type { FastifyInstance } from 'fastify';
import { SalonError } from '../../contract/errors.ts';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

const versioned = /^\/(?:api\/)?(v\d+)(?:\/|$)/;

/**
 * Handles requests without a route: unknown path, unknown method, unknown version, OPTIONS. Call it before adding
 * routes, because it collects their paths.
 */
export function addUnknownPaths(app: FastifyInstance): void {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(url, entry);
  });

  // A hook that runs before the body is read, which a not-found handler does not.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) {
      done();
      return;
    }
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = [...known.values()].find(({ pattern }) => pattern.test(path))?.methods;
    if (methods === undefined || methods.has(request.method)) {
      done(toPathError(path));
      return;
    }
    reply.header('allow', [...methods, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') {
      reply.code(204).send();
      return;
    }
    done(new SalonError('method_not_allowed', `${path} does not support ${request.method}.`));
  });
}

function toPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]+')}$`);
}

function toPathError(path: string): SalonError {
  const version = versioned.exec(path)?.[1];
  return version === undefined || version === 'v1'
    ? new SalonError('not_found', `There is nothing at ${path}.`)
    : new SalonError('unsupported_api_version', `API version ${version} does not exist.`);
}
