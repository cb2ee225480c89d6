import { isUnencrypted, parseBaseUrl } from '../../client/http/request-path.ts';
import { SalonError } from '../../contract/errors.ts';
import { isSwitchedOn } from '../../settings.ts';
import { settingTable } from '../flags/settings.ts';
import {
  type AuthorizationServer,
  findAuthorizationServer,
  type WebFetch,
} from '../oauth/authorization-server.ts';
import { hasBrowser, isRemote, signInWithBrowser } from '../oauth/browser-flow.ts';
import { signInWithDevice } from '../oauth/device-flow.ts';
import type { CommandContext } from '../session/command-context.ts';
import { isEmbedded } from '../session/embedded.ts';
import type { GrantWithTokens } from '../session/grant.ts';
import { openWebFetch } from '../session/network.ts';
import type { Profile, SavedGrant } from '../session/profile.ts';
import { createUnsavedSession } from '../session/session.ts';

export interface OAuthFlags {
  readonly device?: boolean;
  readonly withKey?: boolean;
  readonly keyFile?: string;
  readonly noVerify?: boolean;
  /** False with --no-keyring. */
  readonly keyring?: boolean;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly scope?: string;
  readonly callbackPort?: string;
}

type Context = CommandContext<OAuthFlags>;

interface Target {
  /** The profile as it will be saved; `former` is the sign-in that it has now. */
  readonly profile: Profile;
  readonly former: SavedGrant | undefined;
}

/**
 * Signs in with OAuth, where a person is there to do so and the server can. Undefined where an API key is meant: piped
 * or in a file, with --with-key, and on a server without OAuth metadata. `prepare` is called before the person is asked.
 * Throws `usage` for flags that contradict.
 */
export async function signInWithOAuth(
  context: Context,
  target: Target,
  prepare: () => Promise<void>,
): Promise<GrantWithTokens | undefined> {
  const { flags, io, messages, status } = context;
  assertFlags(flags, target);
  if (!flags.device && (isForKey(flags) || !context.prompts.isInteractive || !hasOAuth(target)))
    return undefined;
  const session = createUnsavedSession(target.profile, { flags, io });
  await using http = await openWebFetch({ session, io, messages });
  const server = await chooseServer(context, target, http.fetch);
  if (server === undefined) return undefined;
  await prepare();
  const scope = flags.scope?.trim().replaceAll(/[\s,]+/g, ' ') ?? chooseScope(server);
  const options = { io, messages, status, scope };
  const tokens = usesDevice(server, context)
    ? await signInWithDevice(server, options)
    : await signInWithBrowser(server, {
        ...options,
        callbackPort: parsePort(flags.callbackPort),
      });
  const usesKeyring = isSwitchedOn(settingTable.keyring, flags.keyring, io.env);
  const grant = {
    id: Buffer.from(io.random(8)).toString('hex'),
    origin: parseBaseUrl(target.profile.base_url).origin,
    issuer: server.issuer,
    client_id: server.clientId,
    storage: usesKeyring ? 'keyring' : 'file',
  } as const;
  return { grant, tokens };
}

function isForKey({ withKey, keyFile, noVerify }: OAuthFlags): boolean {
  return withKey === true || keyFile !== undefined || noVerify === true;
}

/** Codes and tokens are not sent where others can read them. An embedded salon has no address to sign in at. */
function hasOAuth({ profile: { base_url: baseUrl } }: Target): boolean {
  return !isEmbedded(baseUrl) && !isUnencrypted(parseBaseUrl(baseUrl).origin);
}

const oauthFlags = {
  device: '--device',
  issuer: '--issuer',
  clientId: '--client-id',
  scope: '--scope',
  callbackPort: '--callback-port',
} as const;

/** The first flag that only a sign-in with OAuth has. */
function findOAuthFlag(flags: OAuthFlags): string | undefined {
  return Object.entries(oauthFlags).find(([name]) => flags[name as keyof typeof oauthFlags])?.[1];
}

function assertFlags(flags: OAuthFlags, target: Target): void {
  const { base_url: baseUrl } = target.profile;
  const flag = findOAuthFlag(flags);
  if (flag === undefined || (!isForKey(flags) && hasOAuth(target))) return;
  let problem = `Signing in at ${baseUrl} is not safe: the connection is not encrypted.`;
  if (isForKey(flags)) problem = `${flag} cannot be combined with an API key.`;
  else if (isEmbedded(baseUrl)) problem = 'Embedded salons do not support signing in.';
  throw new SalonError('usage', problem, { hint: `Use an API key: leave out ${flag}.` });
}

/** Undefined for a server where an API key is all there is. */
async function chooseServer({ flags, messages }: Context, { profile, former }: Target, fetch: WebFetch) {
  const { base_url: baseUrl } = profile;
  const known = former?.origin === parseBaseUrl(baseUrl).origin ? former : undefined;
  const issuer = flags.issuer ?? known?.issuer;
  const clientId = flags.clientId ?? known?.client_id;
  const isAsked = findOAuthFlag(flags) !== undefined;
  const server = await findAuthorizationServer({ fetch, baseUrl, issuer, clientId }).catch(
    (error: unknown) => {
      if (isAsked || !(error instanceof SalonError) || !isAnswer(error)) throw error;
      messages.warn(`${error.message} Using an API key.`);
      return undefined;
    },
  );
  if (server === undefined && isAsked) {
    throw new SalonError('not_supported', `${issuer ?? baseUrl} has no OAuth metadata.`, {
      hint: 'Pass the authorization server with --issuer, or use an API key: salon auth login --with-key',
    });
  }
  if (server === undefined || server.isSalon || clientId !== undefined || isAsked) return server;
  messages.info(
    `${server.issuer} supports OAuth. To use it, register an app there and pass its --client-id.`,
  );
  return undefined;
}

/** Whether the server was reached: its list of clients may answer where its metadata does not. */
function isAnswer({ code, status }: SalonError): boolean {
  return ['unexpected_response', 'response_too_large'].includes(code) || status !== undefined;
}

/** The salon grants what the person's role may do. On another server, what keeps the sign-in has to be asked for. */
function chooseScope({ isSalon, scopes: known = [] }: AuthorizationServer): string | undefined {
  const needsAsking = !isSalon && known.includes('openid') && known.includes('offline_access');
  return needsAsking ? 'openid offline_access' : undefined;
}

function usesDevice(server: AuthorizationServer, { flags, io }: Context): boolean {
  if (server.hasDeviceFlow)
    return flags.device === true || isRemote(io) || !hasBrowser(io) || !server.hasBrowserFlow;
  if (!flags.device) return false;
  throw new SalonError('not_supported', `${server.issuer} does not offer sign-in with a code.`, {
    hint: 'Leave out --device to sign in with a browser on this machine.',
  });
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new SalonError('usage', `--callback-port must be a port from 1 to 65535, not "${text}".`);
}
