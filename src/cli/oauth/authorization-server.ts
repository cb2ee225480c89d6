import type { Configuration, CustomFetchOptions } from 'openid-client';
import { isUnencrypted, parseBaseUrl } from '../../client/http/request-path.ts';
import { SalonError, withContext } from '../../contract/errors.ts';
import { scopes } from '../../contract/roles.ts';
import { toOAuthError } from './oauth-error.ts';

/** The command line as an app: built into the service. */
const ownClientId = 'salon-cli';

/** A server that signs people in. Its metadata was read from its own address. */
export type AuthorizationServer = ReturnType<typeof toServer>;

/** Rejects with a `SalonError`. */
export type WebFetch = (
  address: string,
  options: Pick<CustomFetchOptions, 'method' | 'headers' | 'body'>,
) => Promise<Response>;

export interface ServerSearch {
  readonly fetch: WebFetch;
  /** Of the salon. Its own address and its origin are searched. */
  readonly baseUrl: string;
  /** Another server that signs people in for the salon. */
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
}

/**
 * Reads the metadata of the server that signs people in (RFC 8414, OpenID Connect Discovery). Undefined where there is
 * none. Throws `unexpected_response` for metadata that cannot be trusted, and the errors of the network.
 */
export async function findAuthorizationServer(
  search: ServerSearch,
): Promise<AuthorizationServer | undefined> {
  for (const issuer of toIssuers(search)) {
    for (const algorithm of ['oauth2', 'oidc'] as const) {
      const found = await readMetadata(issuer, algorithm, search);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Reads the metadata of a known server again. Throws `unexpected_response` where there is none any more. */
export async function openAuthorizationServer(
  search: ServerSearch & { readonly issuer: string },
): Promise<AuthorizationServer> {
  const found = await findAuthorizationServer(search);
  if (found !== undefined) return found;
  throw new SalonError('unexpected_response', `${search.issuer} has no OAuth metadata.`, {
    hint: 'Check --issuer.',
  });
}

function toIssuers({ baseUrl, issuer }: ServerSearch): string[] {
  if (issuer !== undefined) return [parseIssuer(issuer)];
  const { origin, root } = parseBaseUrl(baseUrl);
  return root === '' ? [origin] : [origin + root, origin];
}

/** Throws `usage` for an issuer that is no address, or whose answers others could change. */
function parseIssuer(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new SalonError('usage', `"${text}" is not the address of a server.`, {
      hint: 'Use its issuer, such as https://login.example.com',
    });
  }
  if (isUnencrypted(url.origin)) {
    const message = `Signing in at ${url.origin} is not safe: the connection is not encrypted.`;
    throw new SalonError('usage', message, { hint: 'Use https.' });
  }
  return text;
}

const clockToleranceSeconds = 86_400;

async function readMetadata(
  issuer: string,
  algorithm: 'oauth2' | 'oidc',
  { fetch, clientId = ownClientId }: ServerSearch,
): Promise<AuthorizationServer | undefined> {
  const { allowInsecureRequests, clockTolerance, customFetch, discovery, None } = await import(
    'openid-client'
  );
  const isLoopback = issuer.startsWith('http:');
  // Nothing is taken from an ID token, so a clock that is wrong on this machine does no harm.
  const metadata = { [clockTolerance]: clockToleranceSeconds };
  let hasAnswered = false;
  const options = {
    algorithm,
    execute: isLoopback ? [allowInsecureRequests] : [],
    [customFetch]: async (...request: Parameters<WebFetch>) => {
      const response = await followOnce(fetch, ...request);
      hasAnswered = response.ok && /"issuer"\s*:/.test(await response.clone().text());
      return response;
    },
  };
  try {
    const configuration = await discovery(new URL(issuer), clientId, metadata, None(), options);
    return toServer(configuration, clientId);
  } catch (thrown) {
    const error = toOAuthError(thrown, issuer);
    if (!(error instanceof SalonError) || error.code === 'usage') throw error;
    // A gateway may send unknown paths elsewhere, or answer them with a page.
    if (error.code === 'redirect_refused' || (!hasAnswered && !error.retryable && isAnswer(error)))
      return undefined;
    throw withContext(error, { hint: error.hint ?? 'Use an API key: salon auth login --with-key' });
  }
}

/** Some servers add a slash to every address, the metadata's too. Another origin could name other endpoints. */
async function followOnce(fetch: WebFetch, ...[address, options]: Parameters<WebFetch>) {
  try {
    return await fetch(address, options);
  } catch (error) {
    if (!(error instanceof SalonError) || error.code !== 'redirect_refused') throw error;
    const target = URL.parse(String(error.members['location']), address);
    if (target?.origin !== new URL(address).origin) throw error;
    return fetch(target.href, options);
  }
}

function isAnswer({ code, status }: SalonError): boolean {
  return code === 'unexpected_response' || (status !== undefined && status < 500);
}

const endpointNames = [
  ...(['authorization_endpoint', 'token_endpoint'] as const),
  ...(['device_authorization_endpoint', 'revocation_endpoint'] as const),
];

function toServer(configuration: Configuration, clientId: string) {
  const metadata = configuration.serverMetadata();
  for (const name of endpointNames) assertEndpoint(name, metadata[name]);
  const { scopes_supported: known } = metadata;
  return {
    issuer: metadata.issuer,
    clientId,
    configuration,
    hasDeviceFlow: metadata.device_authorization_endpoint !== undefined,
    hasBrowserFlow: metadata.authorization_endpoint !== undefined,
    /** The scopes it says it has; undefined where it does not say. */
    scopes: known,
    /** Whether it has the contract's scopes, so that it knows this app. */
    isSalon: scopes.some((scope) => known?.includes(scope)),
  };
}

/** A browser is opened with these addresses, and codes and tokens are sent to them. */
function assertEndpoint(name: string, address: unknown): void {
  if (address === undefined) return;
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && !isUnencrypted(url.origin)) return;
  throw new SalonError('unexpected_response', `The server's ${name} is not an https address.`, {
    hint: 'Ask the operator of the server to fix its OAuth metadata.',
  });
}
