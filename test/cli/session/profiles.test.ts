import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProfileStore } from '../../../src/cli/session/profiles.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'salon-profiles-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => openProfileStore({ env: {}, homeFolder: home, platform: 'linux', cwd: home });
const shop = { base_url: 'https://shop.test', credential: { key: 'secret', origin: 'https://shop.test' } };

describe('profiles', () => {
  it('create no file before the first change', () => {
    expect(open().all()).toEqual({});
    expect(existsSync(join(home, '.config'))).toBe(false);
  });

  it('are saved in a file and folder that only their owner can read', () => {
    const store = open();
    store.save('shop', shop);
    store.use('shop');
    expect(open().find('shop')).toEqual(shop);
    expect(open().currentName()).toBe('shop');
    expect(statSync(store.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, '.config', 'salon')).mode & 0o777).toBe(0o700);
  });

  it('are removed with their key, and are no longer current', () => {
    open().save('shop', shop);
    open().use('shop');
    open().remove('shop');
    expect(open().find('shop')).toBeUndefined();
    expect(open().currentName()).toBeUndefined();
    expect(readFileSync(open().path, 'utf8')).not.toContain('secret');
  });

  it('are refused when other users can read them', () => {
    open().save('shop', shop);
    chmodSync(open().path, 0o644);
    expect(open).toThrow(/other users can read it \(mode 644\)/);
  });

  it.each(['{"profiles":', '{"profiles":{"shop":{"base_url":7}}}', '{"profiles":{"shop":{"surprise":1}}}'])(
    'are refused when the file contains %s, which is kept',
    (text) => {
      open().save('shop', shop);
      const { path } = open();
      writeFileSync(path, text, { mode: 0o600 });
      expect(open).toThrow(path);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it.each(['', '..', 'a/b', 'a b', '__proto__ '])('cannot be named %j', (name) => {
    expect(() => open().save(name, shop)).toThrow(/is not a valid profile name/);
  });

  it('ignore inherited members of objects', () => {
    expect(open().find('constructor')).toBeUndefined();
  });
});
