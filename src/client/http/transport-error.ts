import { isUnaskedContinue, SalonError, unaskedContinue } from '../../contract/errors.ts';
import { quote, toSubject } from '../../text/quote.ts';

/** Converts a failure while connecting to a server or proxy, of this name. Nothing was sent. */
export function toConnectionError(thrown: unknown, name: string): SalonError {
  const known = toKnownError(thrown, name);
  if (known !== undefined) return known;
  const { code, message } = toFailure(thrown);
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
  const known = toKnownError(thrown, origin);
  if (known !== undefined) return known;
  const { code, message } = toFailure(thrown);
  const cause = thrown;
  if (code.startsWith('Z_') && code !== 'Z_BUF_ERROR') {
    return new SalonError('unexpected_response', `The response from ${origin} cannot be decompressed.`, {
      cause,
    });
  }
  if (isUnaskedContinue(thrown)) {
    const message = `${toSubject(origin)}, or a proxy in front of it, ${unaskedContinue}.`;
    const hint = 'Its response could not be read. Ask who runs it to send 100 Continue only on request.';
    return new SalonError('unexpected_response', message, { hint, cause });
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return new SalonError('usage', `The request cannot be sent: ${quote(message, 120)}.`, { cause });
  }
  return new SalonError('response_truncated', `The connection to ${origin} closed during the response.`, {
    hint: 'Try again in a moment.',
    retryable: true,
    cause,
  });
}

/** Failures that are the same while connecting and later: certificates, and servers that speak another protocol. */
function toKnownError(thrown: unknown, name: string): SalonError | undefined {
  if (thrown instanceof SalonError) return thrown;
  const { code, message } = toFailure(thrown);
  const certificateProblem = findCertificateProblem(code);
  if (certificateProblem !== undefined && thrown instanceof Error) {
    return createCertificateError(certificateProblem, name, thrown);
  }
  const create = (fact: string, hint: string) =>
    new SalonError('unexpected_response', `${toSubject(name)} ${fact}`, { hint, cause: thrown });
  if (notTls.test(`${code} ${message}`))
    return create(
      'does not speak TLS.',
      'Check the address and its port, and whether it needs http instead of https.',
    );
  if (/NO_APPLICATION_PROTOCOL/.test(code))
    return create('speaks only HTTP/2.', 'Ask who runs the server to allow HTTP/1.1, too.');
  // An error without a code comes from our own code.
  if (code === '') throw thrown;
  if (!notHttp.test(code)) return undefined;
  const fact = `does not speak HTTP: ${quote(message, 120)}`;
  return create(fact, 'Check the address, and whether it needs https.');
}

const notTls = /wrong.version.number|packet.length.too.long/i;
const notHttp = /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|EPROTO|ERR_SSL)/;

function toReason(code: string, message: string): string {
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name was not found';
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'the connection timed out';
  return quote(message, 120);
}

function toFailure(thrown: unknown): { readonly code: string; readonly message: string } {
  if (!(thrown instanceof Error)) return { code: '', message: String(thrown) };
  // Undici asserts a valid status. To explain an assertion, Node parses a line of code, which fails in a bundle.
  if (thrown.name === 'AssertionError' || thrown instanceof SyntaxError)
    return { code: 'HTTPParserError', message: 'Invalid response status' };
  // Undici's parser errors have no code if parsing failed before the status line.
  const fallback = thrown.name === 'HTTPParserError' ? thrown.name : '';
  const code = 'code' in thrown && thrown.code !== undefined ? String(thrown.code) : fallback;
  return { code, message: thrown.message };
}

const trustHint =
  'If your organization issued it, pass the file of its certificate authority with --ca-file.';

/** Why a certificate was not accepted: the message about a server of that name or address, and what to do. */
const certificateProblems = {
  expired: (name: string) => [
    `The certificate of ${name} has expired.`,
    'Ask who runs the server to renew it, or check the clock of this machine.',
  ],
  not_yet_valid: (name: string) => [
    `The certificate of ${name} is not valid yet.`,
    'Check the clock of this machine.',
  ],
  wrong_host: (name: string, cause: Error) => [
    `The certificate of ${name} is for ${readNames(cause)}.`,
    'Check the host name in the base URL.',
  ],
  unknown_authority: (name: string) => [
    `The certificate of ${name} is not trusted: its issuer is unknown.`,
    trustHint,
  ],
  unknown_issuer: (name: string) => [
    `The certificate of ${name} is not trusted: its issuer is unknown, or the server does not send an intermediate certificate.`,
    trustHint,
  ],
  client_certificate_required: (name: string) => [
    `${toSubject(name)} requires a client certificate.`,
    'Pass one with --client-cert and --client-key, or save them in the profile.',
  ],
  client_certificate_rejected: (name: string) => [
    `${toSubject(name)} rejected the client certificate.`,
    'Check --client-cert: its issuer, its expiry, and that it is for this server.',
  ],
  handshake_refused: (name: string) => [
    `${toSubject(name)} refused the TLS connection.`,
    'It may require a client certificate: pass one with --client-cert and --client-key.',
  ],
  invalid: (name: string, cause: Error) => [
    `The certificate of ${name} is not valid: ${quote(cause.message, 160)}.`,
    'Ask who runs the server to replace it.',
  ],
} satisfies Record<string, (name: string, cause: Error) => readonly [message: string, hint: string]>;

type CertificateProblem = keyof typeof certificateProblems;

const problemOfCode: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_host',
  HOSTNAME_MISMATCH: 'wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknown_authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
  CERT_UNTRUSTED: 'unknown_authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_issuer',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'client_certificate_required',
};

const clientAlert = /^ERR_SSL_.*_ALERT_(UNKNOWN_CA|ACCESS_DENIED|\w*CERTIFICATE\w*)$/;
const otherCertificateFailure = /CERT|_CRL|INVALID_CA|PATH_LENGTH_EXCEEDED|KEY_TOO_SMALL|MD_TOO_WEAK|ERR_TLS/;

/** Finds what is wrong with a certificate by OpenSSL's code; undefined for other failures. */
export function findCertificateProblem(code: string): CertificateProblem | undefined {
  if (Object.hasOwn(problemOfCode, code)) return problemOfCode[code];
  if (/^ERR_SSL_.*_ALERT_HANDSHAKE_FAILURE$/.test(code)) return 'handshake_refused';
  if (clientAlert.test(code)) return 'client_certificate_rejected';
  return otherCertificateFailure.test(code) ? 'invalid' : undefined;
}

/** The error for a certificate. Another attempt would not help. */
export function createCertificateError(problem: CertificateProblem, name: string, cause: Error): SalonError {
  const [message = '', hint] = certificateProblems[problem](name, cause);
  return new SalonError('certificate_rejected', message, { hint, members: { reason: problem }, cause });
}

/** The names in the certificate of a failed host check. */
function readNames(cause: Error): string {
  const certificate = 'cert' in cause ? (cause.cert as { subjectaltname?: string; subject?: object }) : {};
  const names = (certificate.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
    .filter((name) => name !== '');
  return names.length === 0 ? 'another host' : quote(names.slice(0, 5).join(', '), 160);
}
