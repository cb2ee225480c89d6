import type { BodyOf } from '../../contract/endpoints.ts';
import type { OauthClient } from '../../contract/oauth-client.ts';
import { scopes as allScopes } from '../../contract/roles.ts';
import { assertValidBody, findUnstorable } from '../domain/validation.ts';
import { findRedirectProblem } from './redirect-uris.ts';

type Fields = Pick<OauthClient, 'name' | 'type' | 'flows' | 'redirect_uris' | 'scopes' | 'role'>;

/** Parses the body of a new client and checks the rules between its fields. Throws `validation_failed`. */
export function parseNewOauthClient(body: BodyOf<'createOauthClient'>): Fields {
  const fields: Fields = {
    name: body.name.trim(),
    type: body.type ?? 'confidential',
    flows: body.flows ?? ['authorization_code'],
    redirect_uris: body.redirect_uris ?? [],
    scopes: body.scopes ?? [...allScopes],
    role: body.role ?? null,
  };
  assertValidBody([...findUnstorable({ name: fields.name }), ...findViolations(fields)]);
  return fields;
}

/** Invisible characters can make the name of one app look like that of another. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/u;

function* findViolations({ name, type, flows, redirect_uris, role }: Fields) {
  if (name === '' || invisible.test(name)) {
    const detail = '/name must be visible text on one line.';
    yield { pointer: '/name', code: 'invalid_format', detail } as const;
  }
  for (const [index, uri] of redirect_uris.entries()) {
    const problem = findRedirectProblem(uri, type);
    if (problem === undefined) continue;
    const pointer = `/redirect_uris/${index}`;
    yield { pointer, code: 'invalid_format', detail: `${pointer} cannot be used. ${problem}` } as const;
  }
  const needsRedirect = flows.includes('authorization_code');
  if (needsRedirect !== redirect_uris.length > 0) {
    const detail = needsRedirect
      ? '/redirect_uris is required with authorization_code.'
      : '/redirect_uris is for authorization_code only.';
    yield { pointer: '/redirect_uris', code: needsRedirect ? 'required' : 'unknown_field', detail } as const;
  }
  const isOwnCaller = flows.includes('client_credentials');
  if (isOwnCaller && type === 'public') {
    const detail = '/flows cannot contain client_credentials: a public client cannot keep a secret.';
    yield { pointer: '/flows', code: 'invalid_format', detail } as const;
  }
  if (isOwnCaller !== (role !== null)) {
    const detail = isOwnCaller
      ? '/role is required with client_credentials.'
      : '/role is for client_credentials only.';
    yield { pointer: '/role', code: isOwnCaller ? 'required' : 'unknown_field', detail } as const;
  }
}
