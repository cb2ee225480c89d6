import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isInstalled } from './gateway-process.ts';

export const hasLibreOffice = isInstalled('soffice');

let settings: string | undefined;

/** Converts files with LibreOffice, whose settings are those of a new user: a first start writes them for seconds. */
export function runLibreOffice(args: readonly string[], folder?: string): void {
  settings ??= createSettings();
  const argv = [`-env:UserInstallation=${pathToFileURL(settings)}`, '--headless', ...args];
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const { status, stderr } = spawnSync('soffice', argv, { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`soffice has failed: ${stderr}`);
}

function createSettings(): string {
  const folder = mkdtempSync(join(tmpdir(), 'salon-soffice-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
