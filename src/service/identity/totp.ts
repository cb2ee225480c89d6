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

/** A new seed for an authenticator app, and the URI that its QR code contains. */
export async function createTotpSecret(
  random: (size: number) => Uint8Array,
  { issuer, email }: { issuer: string; email: string },
): Promise<{ secret: string; uri: string }> {
  const { Secret, TOTP } = await import('otpauth');
  const bytes = Uint8Array.from(random(secretBytes));
  const secret = new Secret({ buffer: bytes.buffer });
  // A colon separates the parts of the label.
  const totp = new TOTP({ issuer: issuer.replaceAll(':', ' '), label: email, secret });
  return { secret: secret.base32, uri: totp.toString() };
}
