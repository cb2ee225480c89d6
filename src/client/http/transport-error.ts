import { SalonError } from '../../contract/errors.ts';
import { toQuote } from './quote.ts';

/**
 * What went wrong below HTTP, in the contract's words. `connection_failed` means that nothing was sent;
 * after `response_truncated` the request may have been carried out.
 */
export function toTransportError(thrown: unknown, origin: string): SalonError {
  if (thrown instanceof SalonError) return thrown;
  const { code, syscall, message } = toFault(thrown);
  if (isCertificateFault(code)) {
    return new SalonError('connection_failed', `The certificate of ${origin} is not trusted: ${message}`, {
      hint: 'If it is your own authority, name its file in NODE_EXTRA_CA_CERTS.',
      cause: thrown,
    });
  }
  if (neverConnected.has(code) || syscall === 'connect' || syscall === 'getaddrinfo') {
    return new SalonError('connection_failed', `No connection to ${origin}: ${reasonOf(code, message)}.`, {
      hint: 'Check the address and the network, then try again.',
      retryable: true,
      cause: thrown,
    });
  }
  if (notHttp.test(code)) {
    return new SalonError(
      'unexpected_response',
      `${origin} did not answer in HTTP: ${toQuote(message, 120)}`,
      {
        hint: 'Check the address and whether it needs https.',
        cause: thrown,
      },
    );
  }
  if (code.startsWith('Z_') && code !== 'Z_BUF_ERROR') {
    return new SalonError(
      'unexpected_response',
      `The answer of ${origin} is packed wrongly and cannot be read.`,
      {
        cause: thrown,
      },
    );
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return new SalonError('usage', `The request cannot be sent: ${toQuote(message, 120)}.`, {
      cause: thrown,
    });
  }
  // Anything else without a code is no fault of the network but one of ours.
  if (code === '') throw thrown;
  return new SalonError(
    'response_truncated',
    `The connection to ${origin} ended before the answer was complete.`,
    {
      hint: 'Try again in a moment.',
      retryable: true,
      cause: thrown,
    },
  );
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

function isCertificateFault(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS/.test(code);
}

function reasonOf(code: string, message: string): string {
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name was not found';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'it did not answer in time';
  return toQuote(message, 120);
}

interface Fault {
  readonly code: string;
  readonly syscall: string | undefined;
  readonly message: string;
}

function toFault(thrown: unknown): Fault {
  if (!(thrown instanceof Error)) return { code: '', syscall: undefined, message: String(thrown) };
  // Undici's parser leaves the code out where it gave up before the first line.
  const named = thrown.name === 'HTTPParserError' ? thrown.name : '';
  const code = 'code' in thrown && thrown.code !== undefined ? String(thrown.code) : named;
  const syscall = 'syscall' in thrown ? String(thrown.syscall) : undefined;
  return { code, syscall, message: thrown.message };
}
