import { SalonError } from '../../contract/errors.ts';
import { quote } from './quote.ts';

/**
 * Converts a failure below HTTP to the contract's errors. After `connection_failed` nothing was sent; after
 * `response_truncated` the request may have been executed.
 */
export function toTransportError(thrown: unknown, origin: string): SalonError {
  if (thrown instanceof SalonError) return thrown;
  const { code, syscall, message } = toFailure(thrown);
  const cause = thrown;
  if (isCertificateFailure(code)) {
    return new SalonError('connection_failed', `The certificate of ${origin} is not trusted: ${message}`, {
      hint: 'If your organization issued it, set NODE_EXTRA_CA_CERTS to the file of its certificate authority.',
      cause,
    });
  }
  if (neverConnected.has(code) || syscall === 'connect' || syscall === 'getaddrinfo') {
    return new SalonError('connection_failed', `Cannot connect to ${origin}: ${toReason(code, message)}.`, {
      hint: 'Check the address and the network, then try again.',
      retryable: true,
      cause,
    });
  }
  if (notHttp.test(code)) {
    return new SalonError('unexpected_response', `${origin} does not speak HTTP: ${quote(message, 120)}`, {
      hint: 'Check the address, and whether it needs https.',
      cause,
    });
  }
  if (code.startsWith('Z_') && code !== 'Z_BUF_ERROR') {
    return new SalonError('unexpected_response', `The response from ${origin} cannot be decompressed.`, {
      cause,
    });
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return new SalonError('usage', `The request cannot be sent: ${quote(message, 120)}.`, { cause });
  }
  // An error without a code comes from our own code.
  if (code === '') throw thrown;
  return new SalonError('response_truncated', `The connection to ${origin} closed during the response.`, {
    hint: 'Try again in a moment.',
    retryable: true,
    cause,
  });
}

const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_TLS',
]);
const notHttp = /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|EPROTO|ERR_SSL)/;

function isCertificateFailure(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS/.test(code);
}

function toReason(code: string, message: string): string {
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name was not found';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'the connection timed out';
  return quote(message, 120);
}

interface Failure {
  readonly code: string;
  readonly syscall: string | undefined;
  readonly message: string;
}

function toFailure(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { code: '', syscall: undefined, message: String(thrown) };
  // Undici's parser errors have no code if parsing failed before the status line.
  const fallback = thrown.name === 'HTTPParserError' ? thrown.name : '';
  const code = 'code' in thrown && thrown.code !== undefined ? String(thrown.code) : fallback;
  const syscall = 'syscall' in thrown ? String(thrown.syscall) : undefined;
  return { code, syscall, message: thrown.message };
}
