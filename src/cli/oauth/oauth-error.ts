import { SalonError } from '../../contract/errors.ts';
import { quote } from '../../text/quote.ts';

/** What the error codes of OAuth mean to the person who signs in. */
const meanings: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  access_denied: { message: 'The sign-in was declined', hint: 'Start again: salon auth login' },
  expired_token: { message: 'The code has expired', hint: 'Start again: salon auth login --device' },
  invalid_client: {
    message: 'The server does not know this client ID',
    hint: 'Pass a registered client ID with --client-id, or use an API key: salon auth login --with-key',
  },
  unauthorized_client: {
    message: 'The server does not allow this client to sign in this way',
    hint: 'Try without --device, or use an API key: salon auth login --with-key',
  },
  invalid_scope: {
    message: 'The server does not grant these scopes',
    hint: 'Choose other scopes with --scope.',
  },
};

const temporary = new Set(['server_error', 'temporarily_unavailable', 'slow_down']);

/**
 * Converts a failure of openid-client. Network errors are returned unchanged; `ended` replaces a refused grant.
 * Never contains a code or a token.
 */
export function toOAuthError(thrown: unknown, issuer: string, ended?: SalonError): unknown {
  for (let cause: unknown = thrown; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SalonError) return cause;
  }
  if (!(thrown instanceof Error)) return thrown;
  const { error, description, status } = readRefusal(thrown);
  if (error === 'invalid_grant' && ended !== undefined) return ended;
  const facts = { status, cause: thrown };
  if ((status !== undefined && (status >= 500 || status === 429)) || temporary.has(error ?? '')) {
    return new SalonError('service_unavailable', `${issuer} cannot sign you in right now${description}.`, {
      ...facts,
      hint: 'Try again in a moment.',
      retryable: true,
    });
  }
  // The messages of openid-client do not quote what the server sent.
  if (error === undefined) {
    const message = `${issuer} did not respond like an OAuth server: ${thrown.message}.`;
    return new SalonError('unexpected_response', message, {
      ...facts,
      hint: 'Check the address, or use an API key: salon auth login --with-key',
    });
  }
  const { message, hint } = meanings[error] ?? {
    message: `${issuer} refused the sign-in: ${quote(error, 60)}`,
    hint: 'Start again: salon auth login',
  };
  return new SalonError('not_signed_in', `${message}${description}.`, { ...facts, hint });
}

function readRefusal(thrown: Error) {
  const { error, error_description, status, code } = thrown as Error & Readonly<Record<string, unknown>>;
  const response = thrown.cause instanceof Response ? thrown.cause : undefined;
  const description = typeof error_description === 'string' ? error_description : '';
  const text = quote(description, 200).replace(/\.$/, '');
  // Servers may answer an unknown app with a challenge for a password.
  const challenge = code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' ? 'invalid_client' : undefined;
  return {
    error: typeof error === 'string' ? error : challenge,
    /** Ready to follow a message: empty, or with a colon in front. */
    description: text === '' ? '' : `: ${text}`,
    status: typeof status === 'number' ? status : response?.status,
  };
}
