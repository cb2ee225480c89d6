import { scopes } from '../../contract/roles.ts';

/** The command line: a public client of every service, which no account registers. */
export const builtInApp = {
  id: 'salon-cli',
  name: 'Salon command line',
  /** With any port (RFC 8252). */
  redirectUris: ['http://127.0.0.1/callback', 'http://[::1]/callback'],
  scopes,
} as const;
