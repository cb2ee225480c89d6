/** Six digits, with the spaces that apps show. */
const codeForm = /^\d{3}\s?\d{3}$/;
const stepMs = 30_000;
const secretBytes = 20;

/** Whether a text has the form of a code. */
export function isTotpCode(text: string): boolean {
  return codeForm.test(text.trim());
}

/**
 * The time step of a right code: this one, the one before or the one after. Undefined for a wrong one. A step works
 * once; the caller remembers it.
 */
export async function findTotpStep(secret: string, code: string, now: Date): Promise<number | undefined> {
  if (!isTotpCode(code)) return undefined;
  const { Secret, TOTP } = await import('otpauth');
  const token = code.replaceAll(/\s/g, '');
  const timestamp = now.getTime();
  const delta = TOTP.validate({ token, secret: Secret.fromBase32(secret), timestamp, window: 1 });
  return delta === null ? undefined : Math.floor(timestamp / stepMs) + delta;
}

/** A new seed for an authenticator app, in Base32. */
export async function createTotpSecret(random: (size: number) => Uint8Array): Promise<string> {
  const { Secret } = await import('otpauth');
  const bytes = Uint8Array.from(random(secretBytes));
  return new Secret({ buffer: bytes.buffer }).base32;
}

/** The URI of a seed, which its QR code contains. */
export async function toTotpUri(
  secret: string,
  { issuer, email }: { issuer: string; email: string },
): Promise<string> {
  const { Secret, TOTP } = await import('otpauth');
  // A colon separates the parts of the label.
  const name = { issuer: issuer.replaceAll(':', ' '), label: email };
  return new TOTP({ ...name, secret: Secret.fromBase32(secret) }).toString();
}
