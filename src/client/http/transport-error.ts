import { SalonError } from '../../contract/errors.ts';
import { createCertificateError, findCertificateProblem } from './certificate-error.ts';
import { quote, toSubject } from './quote.ts';

/** Converts a failure while connecting to a server or proxy, of this name. Nothing was sent. */
export function toConnectionError(thrown: unknown, name: string): SalonError {
  if (thrown instanceof SalonError) return thrown;
  const { code, message } = toFailure(thrown);
  const known = toKnownError(thrown, name);
  if (known !== undefined) return known;
  // An error without a code comes from our own code.
  if (code === '') throw thrown;
  return new SalonError('connection_failed', `Cannot connect to ${name}: ${toReason(code, message)}.`, {
    hint: 'Check the address and the network, then try again.',
    retryable: true,
    cause: thrown,
  });
}

/**
 * Converts a failure of an open connection. After `response_truncated` the request may have been executed, after
 * `certificate_rejected` it was not.
 */
export function toTransportError(thrown: unknown, origin: string): SalonError {
  if (thrown instanceof SalonError) return thrown;
  const { code, message } = toFailure(thrown);
  const known = toKnownError(thrown, origin);
  if (known !== undefined) return known;
  const cause = thrown;
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

/** Failures that are the same while connecting and later: certificates, and servers that speak another protocol. */
function toKnownError(thrown: unknown, name: string): SalonError | undefined {
  const { code, message } = toFailure(thrown);
  const certificateProblem = findCertificateProblem(code);
  if (certificateProblem !== undefined && thrown instanceof Error) {
    return createCertificateError(certificateProblem, name, thrown);
  }
  if (notTls.test(`${code} ${message}`)) {
    return new SalonError('unexpected_response', `${toSubject(name)} does not speak TLS.`, {
      hint: 'Check the address and its port, and whether it needs http instead of https.',
      cause: thrown,
    });
  }
  if (/NO_APPLICATION_PROTOCOL/.test(code)) {
    return new SalonError('unexpected_response', `${toSubject(name)} speaks only HTTP/2.`, {
      hint: 'Ask who runs the server to allow HTTP/1.1, too.',
      cause: thrown,
    });
  }
  if (!notHttp.test(code)) return undefined;
  return new SalonError(
    'unexpected_response',
    `${toSubject(name)} does not speak HTTP: ${quote(message, 120)}`,
    {
      hint: 'Check the address, and whether it needs https.',
      cause: thrown,
    },
  );
}

const notTls = /wrong.version.number|packet.length.too.long/i;
const notHttp = /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|EPROTO|ERR_SSL)/;

function toReason(code: string, message: string): string {
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name was not found';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'the connection timed out';
  return quote(message, 120);
}

interface Failure {
  readonly code: string;
  readonly message: string;
}

function toFailure(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { code: '', message: String(thrown) };
  if (isAssertion(thrown)) return { code: 'HTTPParserError', message: 'Invalid response status' };
  // Undici's parser errors have no code if parsing failed before the status line.
  const fallback = thrown.name === 'HTTPParserError' ? thrown.name : '';
  const code = 'code' in thrown && thrown.code !== undefined ? String(thrown.code) : fallback;
  return { code, message: thrown.message };
}

/** Undici asserts a valid status. To explain an assertion, Node parses a line of code, which fails in a bundle. */
function isAssertion(thrown: Error): boolean {
  return thrown.name === 'AssertionError' || thrown instanceof SyntaxError;
}
