import { SalonError } from '../../contract/errors.ts';
import { createMask, type Mask } from '../../contract/mask-secrets.ts';

/** Headers that describe the request itself, or that make a write safe. */
const ownHeaders =
  /^(host|connection|content-\w+|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|proxy-.*|idempotency-key|if-match|if-none-match)$/;

/** Returns headers with their names in lower case. Throws `usage` for those that cannot be set, never quoting a value. */
export function assertHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([given, value]) => {
      const name = given.toLowerCase();
      if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
        throw new SalonError('usage', `"${given}" is not the name of a header.`);
      if (ownHeaders.test(name)) {
        throw new SalonError('usage', `The header ${given} cannot be set: salon sets it itself.`);
      }
      if (!/^[\t\x20-\x7e]*$/.test(value)) {
        throw new SalonError('usage', `The header ${given} contains characters that cannot be sent.`);
      }
      return [name, value];
    }),
  );
}

/** Also hides the values of headers: on their own always, and within a text where they cannot be ordinary words. */
export function createHeaderMask(mask: Mask, values: readonly string[]): Mask {
  const whole = new Set(values);
  const secrets = createMask(values.filter((value) => /\d/.test(value) || value.length >= 16));
  return (text) => (whole.has(text) ? '…' : secrets(mask(text)));
}
