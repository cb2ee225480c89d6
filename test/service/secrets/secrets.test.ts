import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKey, createKeyFile } from '../../../src/service/secrets/key-file.ts';
import { openSecrets, readKeyId } from '../../../src/service/secrets/secrets.ts';
import { createTestFolder } from '../../support/database.ts';

let folder: ReturnType<typeof createTestFolder>;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder[Symbol.dispose]());

const key = () => randomBytes(32).toString('base64');

function open(variable?: string, file = 'salon.db') {
  const env = variable === undefined ? {} : { SALON_SECRETS_KEY: variable };
  const environment = { random: (size: number) => randomBytes(size), env };
  return openSecrets({ location: `sqlite:${join(folder.path, file)}`, environment });
}

const keyFile = () => join(folder.path, 'salon.db.key');

describe('a sealed text', () => {
  it('hides the text and is different each time', () => {
    const secrets = open();
    const sealed = secrets.seal('JBSWY3DPEHPK3PXP', 'totp usr_1');
    expect(sealed).toMatch(/^sealed:1:[0-9a-f]{8}:/);
    expect(Buffer.from(sealed.split(':')[3] ?? '', 'base64url').toString('latin1')).not.toContain('JBSWY3DP');
    expect(secrets.seal('JBSWY3DPEHPK3PXP', 'totp usr_1')).not.toBe(sealed);
    expect(secrets.open(sealed, 'totp usr_1')).toBe('JBSWY3DPEHPK3PXP');
  });

  it.each(['', 'Zoë 🙂', 'x'.repeat(100_000)])('keeps text number %#', (text) => {
    const secrets = open();
    expect(secrets.open(secrets.seal(text, 'note'), 'note')).toBe(text);
  });

  it('opens only for its purpose', () => {
    const secrets = open();
    const sealed = secrets.seal('secret', 'totp usr_1');
    expect(() => secrets.open(sealed, 'totp usr_2')).toThrow('was changed or is not sealed for it');
  });

  it('opens only unchanged', () => {
    const secrets = open();
    const [, , id, content = ''] = secrets.seal('secret', 'note').split(':');
    for (let at = 0; at < content.length; at++) {
      const other = content[at] === 'A' ? 'B' : 'A';
      const changed = `sealed:1:${id}:${content.slice(0, at)}${other}${content.slice(at + 1)}`;
      // The last character may hold unused bits.
      if (Buffer.from(changed.split(':')[3] ?? '', 'base64url').equals(Buffer.from(content, 'base64url')))
        continue;
      expect(() => secrets.open(changed, 'note')).toThrow('was changed');
    }
    for (const cut of ['', 'A', content.slice(0, 30)]) {
      expect(() => secrets.open(`sealed:1:${id}:${cut}`, 'note')).toThrow();
    }
  });

  it('is no plain text', () => {
    expect(() => open().open('whsec_plain', 'note')).toThrow('A secret in the database is not sealed.');
  });
});

describe('the key file', () => {
  it('is created with the first text, for its owner only, and used by other processes', () => {
    const secrets = open();
    const other = open();
    expect(existsSync(keyFile())).toBe(false);
    const sealed = secrets.seal('secret', 'note');
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(other.open(sealed, 'note')).toBe('secret');
    expect(readKeyId(other.seal('more', 'note'))).toBe(readKeyId(sealed));
  });

  it('is not replaced by a process that creates one at the same time', () => {
    const [one, two] = [createKey(randomBytes), createKey(randomBytes)];
    createKeyFile(keyFile(), [one]);
    createKeyFile(keyFile(), [two]);
    expect(open().listIds()).toEqual([one.id]);
    expect(readdirSync(folder.path)).toEqual(['salon.db.key']);
  });

  it('is beside the database, not beside a link to it', () => {
    writeFileSync(join(folder.path, 'salon.db'), '');
    symlinkSync(join(folder.path, 'salon.db'), join(folder.path, 'link.db'));
    const sealed = open(undefined, 'link.db').seal('secret', 'note');
    expect(existsSync(keyFile())).toBe(true);
    expect(open().open(sealed, 'note')).toBe('secret');
  });

  it('must not be readable by others', () => {
    open().seal('secret', 'note');
    chmodSync(keyFile(), 0o640);
    expect(() => open()).toThrow(`Other users can read the key file ${keyFile()}.`);
  });

  it('must be complete', () => {
    open().seal('secret', 'note');
    const text = readFileSync(keyFile(), 'utf8');
    writeFileSync(keyFile(), text.slice(0, -4));
    expect(() => open()).toThrow('does not contain keys of 32 bytes in base64');
    writeFileSync(keyFile(), '');
    expect(() => open()).toThrow('does not contain keys');
  });

  it('is named with the missing key', () => {
    const sealed = open().seal('secret', 'note');
    writeFileSync(keyFile(), key());
    expect(() => open().open(sealed, 'note')).toThrow(
      `needs the key ${readKeyId(sealed)}, which is not in SALON_SECRETS_KEY or ${keyFile()}.`,
    );
  });
});

describe('the key of the environment', () => {
  it('leaves no file', () => {
    const variable = key();
    const sealed = open(variable).seal('secret', 'note');
    expect(existsSync(keyFile())).toBe(false);
    expect(open(variable).open(sealed, 'note')).toBe('secret');
    expect(() => open(key()).open(sealed, 'note')).toThrow('which is not in SALON_SECRETS_KEY');
  });

  it('seals with the first of several and opens with all, and with those of the file', () => {
    const [one, two] = [key(), key()];
    const before = [open(one).seal('a', 'note'), open().seal('b', 'note')];
    const secrets = open(`${two}, ${one}`);
    expect(before.map((sealed) => secrets.open(sealed, 'note'))).toEqual(['a', 'b']);
    expect(secrets.listIds()[0]).toBe(readKeyId(secrets.seal('c', 'note')));
    expect(readKeyId(secrets.seal('c', 'note'))).toBe(readKeyId(open(two).seal('c', 'note')));
  });

  it.each(['short', 'A'.repeat(44), `${'A'.repeat(42)}!=`, `${'A'.repeat(43)}==`, ','])(
    'is refused as %j, without repeating it',
    (text) => {
      expect(() => open(text)).toThrow('SALON_SECRETS_KEY does not contain keys of 32 bytes in base64.');
    },
  );

  it('is the only one for an engine without files', () => {
    const environment = { random: (size: number) => randomBytes(size) };
    const secrets = openSecrets({ location: 'postgres://localhost/salon', environment });
    expect(() => secrets.seal('secret', 'note')).toThrow('There is no key for secrets.');
  });
});

describe('a rotation', () => {
  it('adds a key that running processes use at once, and removes unused ones', () => {
    const running = open();
    const first = running.seal('secret', 'note');
    const rotating = open();
    rotating.addKey();
    const second = running.seal('secret', 'note');
    expect(readKeyId(second)).not.toBe(readKeyId(first));
    rotating.removeUnused(new Set([readKeyId(first) ?? '']));
    expect(open().open(first, 'note')).toBe('secret');
    rotating.removeUnused(new Set());
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    expect(open().listIds()).toEqual([readKeyId(second)]);
    expect(() => open().open(first, 'note')).toThrow('needs the key');
    // What a process read before the rotation stays readable for it.
    expect(running.open(first, 'note')).toBe('secret');
  });

  it('deletes what interrupted ones left', () => {
    const secrets = open();
    secrets.seal('secret', 'note');
    writeFileSync(`${keyFile()}.0123abcd.new`, key());
    secrets.removeUnused(new Set());
    expect(readdirSync(folder.path)).toEqual(['salon.db.key']);
  });

  it('moves from the file to the environment', () => {
    open().seal('secret', 'note');
    const secrets = open(key());
    secrets.addKey();
    secrets.removeUnused(new Set());
    expect(existsSync(keyFile())).toBe(false);
  });
});
