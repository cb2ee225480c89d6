import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProfileStore } from '../../../src/cli/session/profiles.ts';
import { requireProfile } from '../../../src/cli/session/session.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'salon-profiles-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = () => openProfileStore({ env: {}, homeFolder: home, platform: 'linux', cwd: home });
const shop = { base_url: 'https://shop.test', credential: { key: 'secret', origin: 'https://shop.test' } };

const saveShop = () => open().change((profiles) => profiles.save('shop', shop));

describe('profiles', () => {
  it('create no file before the first change', () => {
    expect(open().all()).toEqual({});
    expect(existsSync(join(home, '.config'))).toBe(false);
  });

  it('are saved in a file and folder that only their owner can read', async () => {
    const store = open();
    await store.change((profiles) => {
      profiles.save('shop', shop);
      profiles.use('shop');
    });
    expect(open().find('shop')).toEqual(shop);
    expect(open().currentName()).toBe('shop');
    expect(statSync(store.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, '.config', 'salon')).mode & 0o777).toBe(0o700);
  });

  it('are removed with their key, and are no longer current', async () => {
    await saveShop();
    await open().change((profiles) => profiles.use('shop'));
    await open().change((profiles) => profiles.remove('shop'));
    expect(open().find('shop')).toBeUndefined();
    expect(open().currentName()).toBeUndefined();
    expect(readFileSync(open().path, 'utf8')).not.toContain('secret');
  });

  it('are refused when other users can read them', async () => {
    await saveShop();
    chmodSync(open().path, 0o644);
    expect(open).toThrow(/other users can read it \(mode 644\)/);
  });

  it.each(['{"profiles":', '{"profiles":{"shop":{"base_url":7}}}', '{"profiles":{"shop":{"surprise":1}}}'])(
    'are refused when the file contains %s, which is kept',
    async (text) => {
      await saveShop();
      const { path } = open();
      writeFileSync(path, text, { mode: 0o600 });
      expect(open).toThrow(path);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it.each([
    ['twice', '{"profiles":{"shop":{"base_url":"https://a.test"},"shop":{"base_url":"https://b.test"}}}'],
    [
      'escaped',
      '{"profiles":{"shop":{"base_url":"https://a.test"},"\\u0073hop":{"base_url":"https://b.test"}}}',
    ],
    [
      'in capitals',
      '{"profiles":{"shop":{"base_url":"https://a.test"},"Shop":{"base_url":"https://b.test"}}}',
    ],
    [
      'with a blank',
      '{"profiles":{"shop":{"base_url":"https://a.test"},"shop ":{"base_url":"https://b.test"}}}',
    ],
    ['as a setting', '{"profiles":{"x":{"base_url":"https://a.test","base_url":"https://b.test"}}}'],
    ['as a list', '{"profiles":{"x":{"base_url":"https://a.test"}},"profiles":{}}'],
  ])('are refused when the file has a name twice: %s', async (_, text) => {
    await saveShop();
    const { path } = open();
    writeFileSync(path, text, { mode: 0o600 });
    expect(open).toThrow(/Cannot use the profiles in .*: it has the name "[^"]+" twice\./);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('take equal names in different places, and texts that look like names, for what they are', async () => {
    await open().change((profiles) => {
      profiles.save('shop', { ...shop, headers: { 'x-a': '{"x-a": "shop":', 'X-A': 'b' } });
      profiles.save('base_url', shop);
    });
    expect(Object.keys(open().all())).toEqual(['shop', 'base_url']);
  });

  it('are not added under a name that is one in capitals', async () => {
    await saveShop();
    const before = readFileSync(open().path, 'utf8');
    await expect(open().change((profiles) => profiles.save('SHOP', shop))).rejects.toMatchObject({
      code: 'usage',
      message: '"SHOP" is too like the profile "shop".',
    });
    expect(readFileSync(open().path, 'utf8')).toBe(before);
  });

  it.each(['', '..', 'a/b', 'a b', '__proto__ '])('cannot be named %j', async (name) => {
    const saving = open().change((profiles) => profiles.save(name, shop));
    await expect(saving).rejects.toThrow(/is not a valid profile name/);
    expect(open().all()).toEqual({});
  });

  it('ignore inherited members of objects', () => {
    expect(open().find('constructor')).toBeUndefined();
  });

  it('keep what another command saved since they were opened', async () => {
    await saveShop();
    const early = open();
    expect(early.find('shop')).toEqual(shop);
    await open().change((profiles) => profiles.save('shop', { ...shop, read_only: true }));
    await early.change((profiles) => {
      const { credential: _removed, ...kept } = profiles.find('shop') ?? shop;
      profiles.save('shop', kept);
    });
    expect(open().find('shop')).toEqual({ base_url: 'https://shop.test', read_only: true });
  });

  it('stay as they are when a change fails', async () => {
    await saveShop();
    const failing = open().change((profiles) => {
      profiles.remove('shop');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(open().find('shop')).toEqual(shop);
  });

  it('stay in a file that a link leads to', async () => {
    await saveShop();
    const { path } = open();
    const elsewhere = join(home, 'kept.json');
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
    await open().change((profiles) => profiles.use('shop'));
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(elsewhere, 'utf8')).current).toBe('shop');
  });

  it('keep members that a newer version saved', async () => {
    await saveShop();
    const newer = { current: 'shop', later: 1, profiles: { shop: { ...shop, color: 'red' } } };
    writeFileSync(open().path, JSON.stringify(newer), { mode: 0o600 });
    await open().change((profiles) => {
      profiles.save('shop', { ...requireProfile(profiles, 'shop'), read_only: true });
    });
    expect(JSON.parse(readFileSync(open().path, 'utf8'))).toEqual({
      ...newer,
      profiles: { shop: { ...shop, color: 'red', read_only: true } },
    });
  });

  it('leave no copy of a killed process behind', async () => {
    await saveShop();
    const copy = `${open().path}.tmp-new`;
    writeFileSync(copy, 'secret');
    await open().change((profiles) => profiles.use('shop'));
    expect(existsSync(copy)).toBe(false);
  });
});
