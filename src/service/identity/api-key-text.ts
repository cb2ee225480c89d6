import { crc32 } from 'node:zlib';
import { apiKeyPrefixes } from '../../contract/api-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const wellFormed = /^slk_(?:test_)?[0-9A-Za-z]{36}$/;
/** Random characters that a list of keys shows. */
const shownLength = 4;

/** Higher bytes would make the first characters of the alphabet more likely than the others. */
const fairBytes = 256 - (256 % alphabet.length);

/** A new key: its prefix, 30 random characters and a checksum of 6. */
export function createKeyText(
  random: (size: number) => Uint8Array,
  { isSandbox }: { readonly isSandbox: boolean },
): string {
  const prefix = isSandbox ? apiKeyPrefixes.sandbox : apiKeyPrefixes.live;
  let text: string = prefix;
  while (text.length < prefix.length + randomLength) {
    for (const byte of random(randomLength)) {
      if (byte < fairBytes && text.length < prefix.length + randomLength) {
        text += alphabet[byte % alphabet.length];
      }
    }
  }
  return text + toChecksum(text);
}

/** Whether a text is meant to be an API key, and no access token. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith(apiKeyPrefixes.live);
}

/** Whether a text can be a key. The checksum finds most typing errors without a query. */
export function isWellFormedKey(text: string): boolean {
  return wellFormed.test(text) && toChecksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The start of a key, to recognise it by. */
export function toShownPrefix(key: string): string {
  const { live, sandbox } = apiKeyPrefixes;
  return key.slice(0, (key.startsWith(sandbox) ? sandbox : live).length + shownLength);
}

function toChecksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < checksumLength) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
