import { join } from 'node:path';
import { fillTemplate } from '../fill-template.ts';

/** The oldest glibc that Node's executables start with. */
const oldestGlibc = '2.28';

/** Writes the install scripts for releases at an address. */
export function writeInstallScripts(folder: string, releaseUrl: string): void {
  const values = { release_url: `'${releaseUrl}'`, glibc: oldestGlibc };
  fillTemplate(join(import.meta.dirname, 'install.sh'), join(folder, 'install.sh'), { values, mode: 0o755 });
  fillTemplate(join(import.meta.dirname, 'install.ps1'), join(folder, 'install.ps1'), { values });
}
