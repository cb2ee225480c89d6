import { existsSync } from 'node:fs';
import packageFile from './package.json' with { type: 'json' };

/** What programs and people load first. npm packs whatever is there, and a package without types installs, too. */
const entries = [...Object.values(packageFile.bin), ...Object.values(packageFile.exports['.'])];
const missing = entries.filter((path) => !existsSync(path));
if (missing.length > 0) {
  process.stderr.write(
    `The package lacks ${missing.join(', ')}. Run "npm run build" and "npm run types", then pack again.\n`,
  );
  process.exitCode = 1;
}
