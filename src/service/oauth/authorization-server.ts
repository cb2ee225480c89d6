import type { IncomingMessage, ServerResponse } from 'node:http';
import { type errors, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { readOauthClient } from '../db/identity/oauth-clients.ts';
import { readGrant } from '../db/identity/oauth-grants.ts';
import { anonymous, noSource } from '../domain/audit.ts';
import { recordRefusal } from '../domain/audit-access.ts';
import type { RequestSource } from '../domain/context.ts';
import { isBuiltIn } from './consent.ts';
import type { Issuer, OauthServer } from './issuer.ts';
import { createProvider } from './provider.ts';

interface ProviderRequest {
  readonly issuer: Issuer;
  readonly source: RequestSource;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Creates a provider for each issuer when it is first asked for; a service has three at most. */
export function createAuthorizationServer(
  options: Pick<OauthServer, 'database' | 'environment' | 'logError'>,
) {
  const sources = new WeakMap<IncomingMessage, RequestSource>();
  const source = () => {
    const request = Provider.ctx?.req;
    return (request && sources.get(request)) ?? noSource;
  };
  const providers = new Map<string, Provider>();
  const provider = (issuer: Issuer) => {
    const known = providers.get(issuer.url);
    if (known !== undefined) return known;
    const server = { ...options, issuer, source };
    const created = createProvider(server);
    recordRefusals(created, server);
    providers.set(issuer.url, created);
    return created;
  };
  return {
    /** The provider of an issuer. */
    provider,
    /** Answers a request to one of its endpoints. */
    async handle({ issuer, source: from, request, response }: ProviderRequest): Promise<void> {
      sources.set(request, from);
      await provider(issuer).callback()(request, response);
    },
  };
}

/** oidc-provider behind the service's routes. */
export type OidcServer = ReturnType<typeof createAuthorizationServer>;

/** Errors that happen in normal use. */
const harmless = ['authorization_pending', 'slow_down', 'access_denied', 'interaction_required'];

/** Records in the audit log what apps were refused; an answer is sent when the entry is stored. */
function recordRefusals(provider: Provider, server: OauthServer): void {
  const recorded = new WeakMap<object, Promise<void>>();
  const record = (ctx: KoaContextWithOIDC, error: errors.OIDCProviderError) => {
    if (harmless.includes(error.error)) return;
    const refusal = recordRefused(server, ctx, error);
    // Awaited below; until then, a failure is no unhandled rejection.
    refusal.catch(() => {});
    recorded.set(ctx.req, refusal);
  };
  provider.on('authorization.error', record);
  provider.on('device_authorization.error', record);
  provider.on('grant.error', record);
  provider.on('introspection.error', record);
  provider.on('revocation.error', record);
  provider.use(async (ctx, next) => {
    await next();
    await recorded.get(ctx.req);
  });
}

async function recordRefused(
  server: OauthServer,
  { oidc }: KoaContextWithOIDC,
  { error }: errors.OIDCProviderError,
): Promise<void> {
  const { database, environment } = server;
  const { client } = oidc;
  const context = { database, environment, source: server.source() };
  const app = client && { id: client.clientId, name: client.clientName ?? null };
  await recordRefusal(context, {
    accountId: await findAccountId(server, oidc),
    actor: app === undefined ? anonymous : { type: 'app', ...app },
    operation: `oauth.${oidc.route}`,
    code: error,
  });
}

/** The account of an app, or of the grant that a request is about; null where neither is known. */
async function findAccountId(
  { database }: OauthServer,
  { client, entities }: KoaContextWithOIDC['oidc'],
): Promise<string | null> {
  if (client === undefined) return null;
  if (!isBuiltIn({ id: client.clientId })) {
    return (await readOauthClient(database.reader, client.clientId))?.account_id ?? null;
  }
  const grantId = (entities.RefreshToken ?? entities.AuthorizationCode ?? entities.DeviceCode)?.grantId;
  return grantId === undefined ? null : ((await readGrant(database.reader, grantId))?.account_id ?? null);
}
