import type { AdapterPayload } from 'oidc-provider';
import { type OauthClientRow, readOauthClient } from '../db/oauth-clients.ts';
import { builtInApp } from '../identity/built-in-app.ts';
import type { OauthServer } from './oauth-server.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** The metadata of a client (RFC 7591) as oidc-provider needs it; undefined when there is none. */
export async function readClientMetadata(
  { database }: OauthServer,
  id: string,
): Promise<AdapterPayload | undefined> {
  if (id === builtInApp.id) return builtInMetadata;
  const row = await readOauthClient(database.reader, id);
  return row === undefined ? undefined : toMetadata(row);
}

/** A loopback redirect URI may have any port (RFC 8252); every other one matches exactly. */
const everyClient = { application_type: 'native', response_modes: ['query'] } as const;

const builtInMetadata: AdapterPayload = {
  ...everyClient,
  client_id: builtInApp.id,
  client_name: builtInApp.name,
  token_endpoint_auth_method: 'none',
  redirect_uris: [...builtInApp.redirectUris],
  response_types: ['code'],
  grant_types: ['authorization_code', deviceGrant, 'refresh_token'],
  scope: builtInApp.scopes.join(' '),
};

function toMetadata(row: OauthClientRow): AdapterPayload {
  const flows: string[] = JSON.parse(row.flows);
  const scopes: string[] = JSON.parse(row.scopes);
  const hasPerson = flows.some((flow) => flow !== 'client_credentials');
  return {
    ...everyClient,
    client_id: row.id,
    client_name: row.name,
    ...(row.secret_hash === null
      ? { token_endpoint_auth_method: 'none' }
      : // Compared with the hash of what a client sends; see `compareClientSecret`.
        { token_endpoint_auth_method: 'client_secret_basic', client_secret: row.secret_hash }),
    redirect_uris: JSON.parse(row.redirect_uris),
    response_types: flows.includes('authorization_code') ? ['code'] : [],
    grant_types: [
      ...flows.map((flow) => (flow === 'device_code' ? deviceGrant : flow)),
      ...(hasPerson ? ['refresh_token'] : []),
    ] as AdapterPayload['grant_types'],
    scope: scopes.join(' '),
  };
}
