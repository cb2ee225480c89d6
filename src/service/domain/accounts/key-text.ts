import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefix = 'slk_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const wellFormed = /^slk_[0-9A-Za-z]{36}$/;

/** Bytes from here up would make the alphabet's first characters likelier than the others. */
const fairBytes = 256 - (256 % alphabet.length);

/** A new key: `slk_`, 30 random characters, and 6 that check the 34 before them. */
export function createKeyText(random: (size: number) => Uint8Array): string {
  let text = prefix;
  while (text.length < prefix.length + randomLength) {
    for (const byte of random(randomLength)) {
      if (byte < fairBytes && text.length < prefix.length + randomLength) {
        text += alphabet[byte % alphabet.length];
      }
    }
  }
  return text + toChecksum(text);
}

/** Whether a text can be a key at all; most typing errors are found without asking the database. */
export function isWellFormedKey(text: string): boolean {
  return wellFormed.test(text) && toChecksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** What is stored of a key: its SHA-256 in hexadecimal. A key is long and random, so nothing slower is needed. */
export function toKeyHash(key: string): string {
  return hash('sha256', key, 'hex');
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
