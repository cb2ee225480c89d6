import type { Database } from '../db/database.ts';
import type { Environment, Source } from '../domain/context.ts';
import type { Issuer } from './issuer.ts';

/** What the parts of the OAuth server work with. */
export interface OauthServer {
  readonly database: Database;
  readonly environment: Environment;
  readonly issuer: Issuer;
  /** Where the current request comes from. */
  source(): Source;
}
