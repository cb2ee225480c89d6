import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** A passkey in software, for one person and one host. */
export interface Authenticator {
  readonly id: string;
  register(options: { challenge: string }, origin: string): RegistrationResponseJSON;
  /** `flags`: present and verified, unless a test says otherwise. */
  answer(options: { challenge: string }, origin: string, flags?: number): AuthenticationResponseJSON;
}

const present = 0x01;
const verified = 0x04;
const hasCredential = 0x40;

export function createAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rawId = randomBytes(16);
  const id = rawId.toString('base64url');
  let counter = 0;

  return {
    id,
    register({ challenge }, origin) {
      const authData = Buffer.concat([
        toAuthData(origin, present | verified | hasCredential, counter),
        Buffer.alloc(16),
        Buffer.from([0, rawId.length]),
        rawId,
        toCose(publicKey),
      ]);
      const attestation = encodeCbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: toClientData('webauthn.create', challenge, origin).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    answer({ challenge }, origin, flags = present | verified) {
      counter += 1;
      const authData = toAuthData(origin, flags, counter);
      const clientData = toClientData('webauthn.get', challenge, origin);
      const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      };
    },
  };
}

function toClientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function toAuthData(origin: string, flags: number, counter: number): Buffer {
  const host = createHash('sha256').update(new URL(origin).hostname).digest();
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([host, Buffer.from([flags]), count]);
}

/** An ES256 key in COSE (RFC 9052). */
function toCose(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return encodeCbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

/** The part of CBOR (RFC 8949) that passkeys need. */
function encodeCbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? toHead(1, -1 - value) : toHead(0, value);
  if (typeof value === 'string')
    return Buffer.concat([toHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([toHead(2, value.length), value]);
  if (value instanceof Map) {
    const entries = [...value].flat().map(encodeCbor);
    return Buffer.concat([toHead(5, value.size), ...entries]);
  }
  throw new Error('This value is not supported.');
}

function toHead(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 0xff]);
}
