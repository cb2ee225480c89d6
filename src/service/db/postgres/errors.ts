import { SalonError } from '../../../contract/errors.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const uniqueViolation = '23505';
const readOnly = '25006';
const queryCanceled = '57014';
export const readTimeout = 'Query read timeout';
const insufficientPrivilege = '42501';
export const lockNotAvailable = '55P03';
const retryable = new Set(['40001', '40P01']);
const poolerFaults = new Set(['26000', '42P05']);

/** Messages by SQLSTATE or, of two characters, by its class. */
const unavailable: Readonly<Record<string, string>> = {
  '08': 'The database cannot be reached.',
  [readOnly]: 'The database is read-only.',
  '25P03': 'The database ended a transaction that paused for too long.',
  '25P04': 'The database ended a transaction that took too long.',
  [insufficientPrivilege]: 'The database user of the service lacks rights.',
  '28': 'The database refuses the user or password of the service.',
  '3D000': 'The database does not exist.',
  '40': 'The database is busy.',
  '53': 'The database server is out of resources.',
  '53100': 'The disk that holds the database is full.',
  '53300': 'The database accepts no more connections.',
  [lockNotAvailable]: 'The database is busy.',
  [queryCanceled]: 'The database takes too long.',
  '57P': 'The database is restarting.',
  '58': 'The database could not be read or written.',
  XX001: 'The database is damaged.',
  XX002: 'The database is damaged.',
};

/** Errors of sockets, of name look-up and of TLS have such codes. */
const networkCode = /^(?:E[A-Z]{3,}[A-Z0-9_]*|ERR_(?:SSL|TLS)_[A-Z0-9_]+)$/;
const certificateCode =
  /^(?:CERT_[A-Z_]+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_[A-Z_]+|UNABLE_TO_[A-Z_]+|ERR_TLS_CERT_[A-Z_]+)$/;

const connectionMessage =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed)/;

/** A commit that may or may not have happened. It must not run again. `hint` says how to find out. */
export function toUnknownCommit(cause: unknown, hint?: string): SalonError {
  const message = 'The database did not confirm a change, which may have been saved.';
  return new SalonError('commit_unknown', message, { retryable: true, cause, hint });
}

/** Translates errors of the driver whose meaning is certain; returns others unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (error instanceof SalonError || !(error instanceof Error)) return error;
  const code = readCode(error);
  if (code === uniqueViolation) {
    return new SalonError('conflict', 'A record with this key already exists.', { cause: error });
  }
  if (code !== undefined && poolerFaults.has(code)) return toPoolerError(error);
  const message = findMessage(code) ?? describeOwnError(error);
  return message === undefined
    ? error
    : new SalonError('service_unavailable', message, { retryable: true, cause: error });
}

/** Named statements that vanish are those of a pooler that gives every transaction another connection. */
export function toPoolerError(cause?: unknown): SalonError {
  return new SalonError(
    'service_unavailable',
    'A connection pooler in transaction mode loses the prepared statements of the service.',
    {
      hint: 'Use PgBouncer 1.21 or newer with max_prepared_statements, or its session mode, or no pooler.',
      cause,
    },
  );
}

/** Whether the server only reads: it is a standby, or configured so. */
export function isReadOnly(error: unknown): boolean {
  const code = readCode(error);
  // What a standby says to a transaction that is to write is only "not supported", like much else.
  return code === readOnly || (code === '0A000' && /during recovery/.test((error as Error).message));
}

/** Whether a prepared statement cannot be used any more, because its columns have changed. */
export function isStalePlan(error: unknown): boolean {
  return readCode(error) === '0A000' && /cached plan/.test((error as Error).message);
}

/** Errors of pg itself have only a message, and others mean more than their code. */
function describeOwnError(error: Error): string | undefined {
  if (isReadOnly(error)) return unavailable[readOnly];
  if (isStalePlan(error)) return unavailable['40'];
  if (error.message === 'timeout exceeded when trying to connect') return unavailable[lockNotAvailable];
  if (error.message === readTimeout) return unavailable[queryCanceled];
  if (isPasswordError(error)) return unavailable['28'];
  if (isCertificateError(error)) return 'The certificate of the database server is not trusted.';
  return isConnectionError(error) || error.message === 'timeout expired' ? unavailable['08'] : undefined;
}

function findMessage(code: string | undefined): string | undefined {
  if (code === undefined || !/^[0-9A-Z]{5}$/.test(code)) return undefined;
  return unavailable[code] ?? unavailable[code.slice(0, 3)] ?? unavailable[code.slice(0, 2)];
}

/** Whether the transaction can simply run again: it was rolled back because of another one, or of a migration. */
export function isRetryable(error: unknown): boolean {
  return retryable.has(readCode(error) ?? '') || isStalePlan(error);
}

/** Whether the connection was lost or could not be made, other than for lack of time. */
export function isConnectionError(error: unknown): boolean {
  const code = readCode(error);
  if (code !== undefined && /^(?:08|57P0)/.test(code)) return true;
  if (code !== undefined && networkCode.test(code)) return true;
  if (isCertificateError(error)) return true;
  return error instanceof Error && connectionMessage.test(error.message);
}

export function isCertificateError(error: unknown): boolean {
  return certificateCode.test(readCode(error) ?? '');
}

/** Whether pg itself gave up signing in: it has no password, or the server does not know the right one either. */
export function isPasswordError(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('SASL: ');
}

/** Whether the server itself refused a statement, so that it is certain what has happened. */
export function isRefusal(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(readCode(error) ?? '') && !isConnectionError(error);
}

/** The SQLSTATE, or the code of an error of Node. */
export function readCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
