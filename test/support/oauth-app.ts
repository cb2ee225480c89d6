import * as openid from 'openid-client';
import { allow } from './signed-in-visitor.ts';
import type { Visitor } from './visitor.ts';

/** An app made of openid-client. */
export interface TestApp {
  readonly config: openid.Configuration;
  /** An authorization URL, and what the app checks in the answer. */
  begin(parameters?: Record<string, string>): Promise<{ url: URL; checks: Checks }>;
  /** Lets the person of a browser allow everything that is asked for, and returns the tokens. */
  connect(visitor: Visitor, parameters?: Record<string, string>): Promise<Tokens>;
  /** Exchanges the code of an answer. */
  exchange(answer: URL, checks: Checks): Promise<Tokens>;
  refresh(token: string): Promise<Tokens>;
}

interface Checks {
  readonly pkceCodeVerifier: string;
  readonly expectedState: string;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: string | undefined;
}

export interface TestAppOptions {
  readonly clientId?: string;
  /** Without one, the app is public. */
  readonly secret?: string;
  readonly redirectUri?: string;
}

/** The command line by default. */
export async function openTestApp(origin: string, options: TestAppOptions = {}): Promise<TestApp> {
  const { clientId = 'salon-cli', secret, redirectUri = 'http://127.0.0.1:51234/callback' } = options;
  const authentication = secret === undefined ? openid.None() : openid.ClientSecretBasic(secret);
  const config = await openid.discovery(new URL(origin), clientId, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
  const app: TestApp = {
    config,
    async begin(parameters = {}) {
      const checks = {
        pkceCodeVerifier: openid.randomPKCECodeVerifier(),
        expectedState: openid.randomState(),
      };
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        code_challenge: await openid.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: checks.expectedState,
        ...parameters,
      });
      return { url, checks };
    },
    async connect(visitor, parameters) {
      const { url, checks } = await app.begin(parameters);
      return app.exchange(await allow(visitor, url), checks);
    },
    exchange: async (answer, checks) => toTokens(await openid.authorizationCodeGrant(config, answer, checks)),
    refresh: async (token) => toTokens(await openid.refreshTokenGrant(config, token)),
  };
  return app;
}

function toTokens({ access_token, refresh_token = '', scope }: openid.TokenEndpointResponse): Tokens {
  return { access: access_token, refresh: refresh_token, scope };
}
