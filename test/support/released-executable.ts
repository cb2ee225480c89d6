import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nameExecutable } from '../../packaging/release-files.ts';
import { version } from '../../src/cli/io.ts';

/** The executable for this machine that is to be released. */
export function findReleasedExecutable(): string {
  const path = join(
    import.meta.dirname,
    '../../release',
    nameExecutable(version, process.platform, process.arch),
  );
  if (!existsSync(path)) throw new Error(`${path} is missing: run "npm run release:executables"`);
  return path;
}
