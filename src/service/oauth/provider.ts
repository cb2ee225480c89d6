import type { IncomingMessage } from 'node:http';
import { type Configuration, errors, interactionPolicy, Provider } from 'oidc-provider';
import { scopes } from '../../contract/roles.ts';
import { toTokenHash } from '../identity/access-tokens.ts';
import { builtInApp } from '../identity/built-in-app.ts';
import { createAdapterFactory, idleMs } from './adapter.ts';
import { paths } from './metadata.ts';
import type { OauthServer } from './oauth-server.ts';
import { pollSeconds } from './poll-limit.ts';

export interface ProviderOptions extends OauthServer {
  /** Renders the page for a request that cannot be answered to the app. */
  renderError(sentence: string): string;
  log(error: unknown): void;
}
