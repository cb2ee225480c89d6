import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest glibc that Node's executables start with. */
const oldestGlibc = '2.28';

/** Writes install.sh and install.ps1 for releases at an address. Returns the names of the files. */
export function writeInstallScripts(folder: string, releaseUrl: string): string[] {
  const values = { release_url: `'${releaseUrl}'`, glibc: oldestGlibc };
  mkdirSync(folder, { recursive: true });
  return ['install.sh', 'install.ps1'].map((name) => {
    const template = readFileSync(join(import.meta.dirname, name), 'utf8');
    const text = Object.entries(values).reduce(
      (filled, [key, value]) => filled.replaceAll(`@${key}@`, value),
      template,
    );
    writeFileSync(join(folder, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
    return name;
  });
}
