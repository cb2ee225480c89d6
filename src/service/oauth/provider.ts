import { generateKeyPairSync, timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import {
  type Client,
  type Configuration,
  type ErrorOut,
  errors,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { scopes as allScopes } from '../../contract/roles.ts';
import { readOauthClient } from '../db/identity/oauth-clients.ts';
import { readActiveGrant } from '../db/identity/oauth-grants.ts';
import type { Environment } from '../domain/context.ts';
import { createToken, toTokenHash } from '../identity/tickets.ts';
import { html } from '../web/html.ts';
import { renderSmallPage } from '../web/layout.ts';
import { toPolicy } from '../web/page-headers.ts';
import { createAdapterFactory, pollSeconds } from './adapter.ts';
import { lifetimes, type OauthServer, paths } from './issuer.ts';

/** oidc-provider for one issuer. Everything that the contract does not name is off. */
export function createProvider(options: OauthServer): Provider {
  const provider = new Provider(options.issuer.url, createConfiguration(options));
  const { host, protocol } = new URL(options.issuer.pageOrigin);
  // Its links and cookies are for the origin of the pages, even if a proxy or a client names another.
  Object.defineProperties(provider.request, {
    host: { value: host },
    protocol: { value: protocol.slice(0, -1) },
  });
  provider.Client.prototype.compareClientSecret = function (secret: string) {
    return isSameHash(this.clientSecret, secret);
  };
  nameTokens(provider, options.environment);
  provider.use(async (ctx, next) => {
    await next();
    dropSessionCookie(ctx);
    completeAnswer(ctx);
  });
  provider.silent = true;
  provider.on('server_error', (_ctx, error) => options.logError(error));
  (provider as EventEmitter).on('error', options.logError);
  return provider;
}

function createConfiguration(options: OauthServer): Configuration {
  const { issuer } = options;
  return {
    adapter: createAdapterFactory(options),
    // The provider insists on a key for ID tokens; no scope leads to one.
    jwks: { keys: [createUnusedKey()] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    scopes: allScopes,
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    cookies: {
      names: { interaction: 'salon_authorization', resume: 'salon_resume', session: sessionCookie },
      short: { httpOnly: true, sameSite: 'lax', secure: issuer.pageOrigin.startsWith('https:') },
    },
    routes: {
      authorization: issuer.authorizationPath,
      token: paths.token,
      device_authorization: paths.deviceAuthorization,
      code_verification: paths.device,
      revocation: paths.revocation,
      introspection: paths.introspection,
    },
    interactions: {
      policy: createPolicy(),
      url: (_ctx, { uid }) => `/oauth/consent/${uid}`,
    },
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    // A grant is found only while its person is a member of its account.
    findAccount: async (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    expiresWithSession: () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    ttl: {
      AccessToken: lifetimes.accessToken,
      ClientCredentials: lifetimes.accessToken,
      RefreshToken: lifetimes.idle,
      AuthorizationCode: lifetimes.code,
      DeviceCode: lifetimes.deviceCode,
      Interaction: lifetimes.interaction,
      Grant: lifetimes.idle,
      Session: lifetimes.interaction,
    },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow: {
        enabled: true,
        charset: 'base-20',
        mask: '****-****',
        deviceInfo: ({ req }) => ({
          address: options.source().address,
          agent: req.headers['user-agent']?.slice(0, 200) ?? null,
        }),
      },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => mayIntrospect(options, client, token),
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, asked = []) => {
          if (asked.some((resource) => !issuer.resources.includes(resource)))
            throw new errors.InvalidTarget();
          return issuer.url;
        },
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => {
          if (!issuer.resources.includes(resource)) throw new errors.InvalidTarget();
          checkScopes(ctx);
          return { scope: allScopes.join(' '), audience: issuer.url, accessTokenFormat: 'opaque' };
        },
      },
    },
    renderError,
  };
}

function createUnusedKey(): JWK {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'jwk' }) as JWK;
}

/** A person agrees every time: consent without asking would be of use only to an app. */
function createPolicy() {
  const policy = interactionPolicy.base();
  policy.clear();
  const missing = new interactionPolicy.Check(
    'consent_missing',
    'A person must give consent first.',
    'interaction_required',
    ({ oidc }: KoaContextWithOIDC) => oidc.result?.consent === undefined,
  );
  policy.add(new interactionPolicy.Prompt({ name: 'consent', requestable: true }, missing));
  return policy;
}

const sessionCookie = 'salon_oauth';

/** The provider keeps no sessions. */
function dropSessionCookie({ response }: Pick<KoaContextWithOIDC, 'response'>): void {
  const cookies = [response.get('set-cookie') ?? []].flat();
  const kept = cookies.filter((cookie) => !cookie.startsWith(`${sessionCookie}=`));
  if (kept.length === cookies.length) return;
  response.remove('set-cookie');
  if (kept.length > 0) response.set('set-cookie', kept);
}

/** Devices need to know how often they may ask, and some libraries read JSON from every answer. */
function completeAnswer(ctx: Pick<KoaContextWithOIDC, 'path' | 'status' | 'body'>): void {
  if (ctx.status !== 200) return;
  if (ctx.path === paths.deviceAuthorization) ctx.body = { ...Object(ctx.body), interval: pollSeconds };
  if (ctx.path === paths.revocation) ctx.body = {};
}

/** Whether a secret has a hash. Takes as long for a wrong one. */
function isSameHash(hash: string | undefined, secret: string): boolean {
  if (hash === undefined) return false;
  return timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(toTokenHash(secret), 'hex'));
}

/**
 * Whether a client may ask about a token: its own, or as a confidential client that of any app in its account. Public
 * clients prove nothing, and may not.
 */
async function mayIntrospect(
  { database }: Pick<OauthServer, 'database'>,
  client: Client,
  token: { readonly clientId?: string | undefined; readonly grantId?: string | undefined },
): Promise<boolean> {
  if (client.clientAuthMethod === 'none') return false;
  if (token.clientId === client.clientId) return true;
  const own = await readOauthClient(database.reader, client.clientId);
  const accountId =
    token.grantId === undefined
      ? (await readOauthClient(database.reader, token.clientId ?? ''))?.account_id
      : (await readActiveGrant(database.reader, token.grantId))?.account_id;
  return own !== undefined && own.account_id === accountId;
}

/** Gives tokens a prefix by which people, logs and scanners of leaked secrets know them. */
function nameTokens(provider: Provider, environment: Environment): void {
  const prefixes = [
    [provider.AccessToken, 'slt_'],
    [provider.ClientCredentials, 'slt_'],
    [provider.RefreshToken, 'slr_'],
  ] as const;
  for (const [model, prefix] of prefixes) {
    const prototype = model.prototype as unknown as { generateTokenId(): string };
    const generate = prototype.generateTokenId;
    prototype.generateTokenId = function () {
      // The provider's own ID is thrown away, but making it sets the token's format.
      generate.call(this);
      return createToken(environment, prefix).text;
    };
  }
}

/** Where an app says what it asks for; later it can only ask for less. */
const requestRoutes = ['authorization', 'device_authorization'];

const offlineAccess = 'offline_access';

/**
 * Refuses scopes that the app may not ask for. Without `scope`, an app asks for all that it may (RFC 6749, section
 * 3.3). Throws `invalid_scope`.
 */
function checkScopes({ oidc, query }: KoaContextWithOIDC): void {
  const { client, params, route } = oidc;
  const isRequest = requestRoutes.includes(route) || params?.['grant_type'] === 'client_credentials';
  if (client === undefined || params === undefined || !isRequest) return;
  const allowed = client.scope?.split(' ') ?? [];
  if (typeof params['scope'] !== 'string' || params['scope'] === '') {
    // The provider drops `offline_access`: an app that asks for nothing else must not be offered everything.
    if (route === 'authorization' && query['scope'] === offlineAccess) {
      throw new errors.InvalidScope(
        'refresh tokens need no scope; ask for what the app will do',
        offlineAccess,
      );
    }
    params['scope'] = allowed.join(' ');
    return;
  }
  const unknown = params['scope'].split(' ').filter((scope) => !allowed.includes(scope));
  if (unknown.length > 0) {
    throw new errors.InvalidScope('the app may not ask for this scope', unknown.join(' '));
  }
}

/** What a person reads who was sent here by a request that must not be answered to the app. */
const sentences: Readonly<Record<string, string>> = {
  invalid_client: 'This app is not registered. It may have been removed.',
  invalid_redirect_uri: "The app's redirect URI is not registered.",
};

/** Shows an error to a person instead of sending it to an address that may be an attacker's. */
async function renderError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): Promise<void> {
  const sentence = sentences[error] ?? toSentence(error_description ?? error);
  ctx.type = 'html';
  ctx.set('content-security-policy', toPolicy());
  ctx.body = await renderSmallPage({
    title: 'The app cannot be connected',
    lead: sentence,
    body: html`<p>Go back to the app and try again. If it happens again, tell the app's developers: <code>${error}</code></p>`,
  });
}

function toSentence(text: string): string {
  const first = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
