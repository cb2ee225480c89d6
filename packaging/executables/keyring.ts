import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRawAsset } from 'node:sea';

// Takes the place of @napi-rs/keyring in an executable, whose native part is an asset.

export const { AsyncEntry } = loadAddon();

function loadAddon(): typeof import('@napi-rs/keyring') {
  const folder = mkdtempSync(join(tmpdir(), 'salon-keyring-'));
  const file = join(folder, 'keyring.node');
  const addon = { exports: {} as typeof import('@napi-rs/keyring') };
  try {
    writeFileSync(file, new Uint8Array(getRawAsset('keyring.node')), { mode: 0o600 });
    process.dlopen(addon, file);
  } finally {
    // Windows keeps a loaded file until the process ends, and clears the folder for temporary files itself.
    if (process.platform !== 'win32') rmSync(folder, { recursive: true, force: true });
  }
  return addon.exports;
}
