import { isIP, type Socket } from 'node:net';
import type { DetailedPeerCertificate, SecureContext, TLSSocket } from 'node:tls';
import { createCertificateError, findCertificateProblem } from '../../client/http/certificate-error.ts';
import { toConnectionError } from '../../client/http/transport-error.ts';
import { dayMs } from '../../contract/time.ts';
import { type Check, failed, passed, warned } from './check.ts';

export interface CertificateCheckOptions {
  readonly origin: string;
  readonly secureContext: SecureContext | undefined;
  readonly now: Date;
}

/** Automatic renewal happens earlier. */
const warnDays = 21;

/** Completes the TLS handshake on a socket, whatever the certificate, and says what is wrong with it. */
export async function checkCertificate(socket: Socket, options: CertificateCheckOptions): Promise<Check> {
  const { origin, now } = options;
  const secured = await handshake(socket, options);
  const certificate = secured.getPeerCertificate(true);
  const details = {
    protocol: secured.getProtocol(),
    cipher: secured.getCipher().name,
    ...describe(certificate),
  };
  const code = secured.authorizationError as Error | string | undefined;
  secured.destroy();
  const expires = `expires on ${details.expires_at.slice(0, 10)}, issued by ${details.issuer}`;
  if (code) {
    const text = String(code instanceof Error ? ('code' in code ? code.code : code.message) : code);
    const cause = Object.assign(new Error(text), { cert: certificate });
    const error = createCertificateError(findCertificateProblem(text) ?? 'invalid', origin, cause);
    return failed('tls', error, { ...details, certificate: expires });
  }
  const daysLeft = Math.floor((earliestExpiry(certificate) - now.getTime()) / dayMs);
  const all = { ...details, days_left: daysLeft };
  if (daysLeft < warnDays) {
    const message = `The certificate chain expires in ${daysLeft} days, issued by ${details.issuer}`;
    return warned('tls', message, { hint: 'Ask who runs the server to renew it.', details: all });
  }
  return passed('tls', `${details.protocol}; the certificate ${expires}`, all);
}

function handshake(socket: Socket, { origin, secureContext }: CertificateCheckOptions): Promise<TLSSocket> {
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    import('node:tls').then(({ connect }) => {
      const secured = connect({
        socket,
        host,
        ...(isIP(host) ? {} : { servername: host }),
        ...(secureContext === undefined ? {} : { secureContext }),
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: false,
      });
      secured.once('secureConnect', () => resolve(secured));
      secured.on('error', (error) => reject(toConnectionError(error, origin)));
      secured.once('close', () => reject(toConnectionError(closedError(), origin)));
    }, reject);
  });
}

function closedError(): Error {
  return Object.assign(new Error('it closed during the TLS handshake'), { code: 'ECONNRESET' });
}

function describe(certificate: DetailedPeerCertificate) {
  return {
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    chain: chainOf(certificate).map(({ subject }) => nameOf(subject)),
    valid_from: toInstant(certificate.valid_from),
    expires_at: toInstant(certificate.valid_to),
  };
}

function nameOf(subject: Readonly<Record<string, unknown>> = {}): string {
  const [name] = [subject['O'], subject['CN'], subject['OU']]
    .flat()
    .filter((part) => typeof part === 'string');
  return name ?? 'an unnamed authority';
}

/** From the server's certificate up to the last one known. A root is its own issuer. */
function chainOf(certificate: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  let next: DetailedPeerCertificate | undefined = certificate;
  while (next !== undefined && !chain.some(({ fingerprint256 }) => fingerprint256 === next?.fingerprint256)) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
}

function earliestExpiry(certificate: DetailedPeerCertificate): number {
  return Math.min(...chainOf(certificate).map(({ valid_to }) => Date.parse(valid_to)));
}

function toInstant(text: string): string {
  return new Date(text).toISOString();
}
