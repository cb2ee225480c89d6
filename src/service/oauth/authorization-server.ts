import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';
import type { Database } from '../db/database.ts';
import type { Environment, RequestSource } from '../domain/context.ts';
import type { Issuer } from './issuer.ts';
import { createProvider } from './provider.ts';

export interface AuthorizationServerOptions {
  readonly database: Database;
  readonly environment: Environment;
  logError(error: unknown): void;
}

/** oidc-provider behind the service's routes. */
export interface OidcServer {
  /** Answers a request to one of its endpoints. */
  handle(request: ProviderRequest): Promise<void>;
  /** The provider of an issuer. */
  provider(issuer: Issuer): Provider;
}

interface ProviderRequest {
  readonly issuer: Issuer;
  readonly source: RequestSource;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const unknownSource: RequestSource = { requestId: null, address: null };

/** Creates a provider for each issuer when it is first asked for; a service has three at most. */
export function createAuthorizationServer(options: AuthorizationServerOptions): OidcServer {
  const sources = new WeakMap<IncomingMessage, RequestSource>();
  const source = () => {
    const request = Provider.ctx?.req;
    return (request && sources.get(request)) ?? unknownSource;
  };
  const providers = new Map<string, Provider>();
  const provider = (issuer: Issuer) => {
    const known = providers.get(issuer.url) ?? createProvider({ ...options, issuer, source });
    providers.set(issuer.url, known);
    return known;
  };
  return {
    provider,
    async handle({ issuer, source: from, request, response }) {
      sources.set(request, from);
      await provider(issuer).callback()(request, response);
    },
  };
}
