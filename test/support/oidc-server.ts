import { generateKeyPairSync } from 'node:crypto';
import { type EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientMetadata, Provider } from 'oidc-provider';

/** An authorization server of another kind with an API beside it. Every visitor is signed in as Ana. */
export interface OidcServer extends AsyncDisposable {
  readonly origin: string;
  /** What its token endpoint was asked for: `<grant type>`, with `!` in front where it refused. */
  readonly grants: readonly string[];
  /** Access tokens of requests to its API that were accepted. */
  readonly accepted: readonly string[];
  /** Handles a request that was intercepted after all. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Ends all sign-ins. */
  revokeAll(): Promise<void>;
}

export interface OidcServerOptions {
  /** Lifetime of access tokens in seconds; an hour. */
  readonly accessTokenTtl?: number;
  /** Lifetime of codes for other devices in seconds; an hour. */
  readonly deviceCodeTtl?: number;
  readonly client?: Partial<ClientMetadata>;
  /** Whether Ana declines. */
  readonly declines?: boolean;
  /** Called before a request is handled; true if it has answered. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

const ownClient = {
  client_id: 'studio-app',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  redirect_uris: ['http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  response_types: ['code'],
} satisfies ClientMetadata;

const longLived = { Grant: 3600, IdToken: 3600, Interaction: 3600, RefreshToken: 3600, Session: 3600 };

/** oidc-provider as its documentation sets it up, with metadata of OpenID Connect and a list of clients. */
export async function openOidcServer(options: OidcServerOptions = {}): Promise<OidcServer> {
  const {
    accessTokenTtl = 3600,
    deviceCodeTtl = 3600,
    client = {},
    declines = false,
    intercept = () => false,
  } = options;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(origin, {
    clients: [{ ...ownClient, ...client }],
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: ['test'] },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
    },
    ttl: { AccessToken: accessTokenTtl, DeviceCode: deviceCodeTtl, ...longLived },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    scopes: ['openid', 'offline_access', 'calendar'],
  });
  provider.silent = true;
  // Clients ask again at once.
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.path === '/device/auth' && ctx.status === 200)
      ctx.body = { ...(ctx.body as object), interval: 0.01 };
  });
  const issued: string[] = [];
  const grants: string[] = [];
  const accepted: string[] = [];
  const note = (mark: string) => (ctx: { oidc: { params?: Record<string, unknown> } }) =>
    void grants.push(`${mark}${String(ctx.oidc.params?.['grant_type']).replace(/.*:/, '')}`);
  const events = provider as EventEmitter;
  events.on('grant.success', note(''));
  events.on('grant.error', note('!'));
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (intercept(request, response)) return;
    const path = new URL(request.url ?? '/', origin).pathname;
    const handled = path.startsWith('/interaction/')
      ? agree(request, response)
      : /^\/(api\/)?(v1\/)?clients$/.test(path)
        ? listClients(request, response)
        : undefined;
    if (handled === undefined) void answer(request, response);
    else handled.catch((error: unknown) => response.destroy(error as Error));
  });
  return {
    origin,
    grants,
    accepted,
    handle: (request, response) => void answer(request, response),
    async revokeAll() {
      for (const id of issued) await provider.RefreshToken.revokeByGrantId(id);
      for (const id of issued) await (await provider.Grant.find(id))?.destroy();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params, prompt, session } = await provider.interactionDetails(request, response);
    if (declines) {
      const result = { error: 'access_denied', error_description: 'Ana does not want to.' };
      return provider.interactionFinished(request, response, result);
    }
    const isLogin = prompt.name === 'login';
    const grant = new provider.Grant({
      accountId: session?.accountId ?? 'ana',
      clientId: String(params['client_id']),
    });
    grant.addOIDCScope(String(params['scope'] ?? 'openid'));
    if (!isLogin) issued.push(await grant.save());
    const result = isLogin ? { login: { accountId: 'ana' } } : { consent: { grantId: issued.at(-1) } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }

  async function listClients({ headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = (headers.authorization ?? '').replace(/^Bearer /, '');
    const isValid = (await provider.AccessToken.find(token)) !== undefined;
    if (isValid) accepted.push(token);
    response
      .writeHead(isValid ? 200 : 401, { 'content-type': 'application/json' })
      .end(
        JSON.stringify(
          isValid
            ? { data: [{ id: 'c1', first_name: 'Zoe' }], pagination: { page: 1, per_page: 50, total: 1 } }
            : { error: 'invalid_token' },
        ),
      );
  }
}
