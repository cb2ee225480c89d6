import type { SecureContext } from 'node:tls';
import { SalonError } from '../../contract/errors.ts';

/** Certificates for connections, as PEM texts. */
export interface TlsSettings {
  /** Certificate authorities to trust in addition to the usual ones. */
  readonly ca?: string | undefined;
  /** The client's certificate with its chain, for servers that require one. */
  readonly cert?: string | undefined;
  /** The private key of `cert`; may be part of that text instead. */
  readonly key?: string | undefined;
}

/** Throws `usage` for certificates and keys that cannot be used. */
export async function createTlsContext({
  ca,
  cert,
  key = cert,
}: TlsSettings): Promise<SecureContext | undefined> {
  if (ca === undefined && cert === undefined) return undefined;
  if (cert !== undefined) assertUsableKey(key ?? '');
  const { createSecureContext, getCACertificates } = await import('node:tls');
  if (ca !== undefined) await assertCertificates(ca);
  try {
    return createSecureContext({
      ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
      ...(cert === undefined ? {} : { cert, key }),
    });
  } catch (cause) {
    const mismatch = cause instanceof Error && 'code' in cause && /MISMATCH/.test(String(cause.code));
    const problem = mismatch
      ? 'The client key does not belong to the client certificate.'
      : 'The client certificate or its key is not valid PEM.';
    throw new SalonError('usage', problem, { hint: 'Check --client-cert and --client-key.', cause });
  }
}

async function assertCertificates(pem: string): Promise<void> {
  const { X509Certificate } = await import('node:crypto');
  try {
    new X509Certificate(pem);
  } catch (cause) {
    throw new SalonError('usage', 'The CA file contains no certificate in PEM form.', {
      hint: 'Convert it: openssl x509 -inform der -in ca.crt -out ca.pem',
      cause,
    });
  }
}

function assertUsableKey(key: string): void {
  if (!/PRIVATE KEY-----/.test(key)) {
    throw new SalonError('usage', 'The client certificate has no private key in PEM form.', {
      hint: 'Name the key with --client-key. From a .p12 file: openssl pkcs12 -in file.p12 -nodes -out client.pem',
    });
  }
  if (/ENCRYPTED/.test(key)) {
    throw new SalonError('usage', 'The client key is encrypted with a passphrase.', {
      hint: 'Decrypt it: openssl pkey -in client.key -out client-plain.key && chmod 600 client-plain.key',
    });
  }
}
