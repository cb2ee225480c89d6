import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import { SalonError } from '../../contract/errors.ts';
import { configFolder, dataFolder } from '../folders.ts';
import { type Io, version } from '../io.ts';
import { prepareEmbeddedDatabase } from '../session/embedded.ts';
import { attempt, type Check, failed, passed, skipped, warned } from './check-result.ts';

const minFreeBytes = 100 * 1_048_576;

export async function checkVersions({ nodeVersion, tzVersion }: Io): Promise<Check> {
  const { describeEngine } = await import('../../service/administration.ts');
  const database = describeEngine();
  const { undici } = packageFile.dependencies;
  const details = { salon: version, node: nodeVersion, tz: tzVersion ?? null, database, undici };
  return passed(
    'versions',
    `salon ${version}, Node ${nodeVersion}, tz ${tzVersion}, ${database}, undici ${undici}`,
    details,
  );
}

/** The folders of profiles and data: private, writable, and with free space. */
export async function checkFolders(io: Io): Promise<Check[]> {
  return Promise.all([checkFolder('config', configFolder, io), checkFolder('data', dataFolder, io)]);
}

function checkFolder(check: string, find: (io: Io) => string, io: Io): Promise<Check> {
  return attempt(check, async () => {
    const folder = find(io);
    if (!existsSync(folder)) return skipped(check, `Not checked: ${folder} does not exist yet`);
    const found = await stat(folder);
    const mode = (found.mode & 0o777).toString(8);
    const freeBytes = await readFreeBytes(folder);
    const details = { folder, mode, free_bytes: freeBytes };
    const fail = (problem: string, hint: string) =>
      failed(check, new SalonError('usage', `${folder} ${problem}`, { hint }), details);
    if (!found.isDirectory()) return fail('is not a folder', 'Move that file away.');
    if (!(await isAllowed(folder, constants.W_OK | constants.X_OK))) {
      const hint = 'Change its permissions, or set SALON_CONFIG_DIR and SALON_DATA_DIR to other folders.';
      return fail('cannot be written', hint);
    }
    if (io.platform !== 'win32' && (found.mode & 0o077) !== 0) {
      const message = `Other users can read ${folder} (mode ${mode})`;
      return warned(check, message, { hint: `Run: chmod 700 ${folder}`, details });
    }
    const free = renderBytes(freeBytes);
    if (freeBytes < minFreeBytes) {
      return warned(check, `${folder} has only ${free} left`, { hint: 'Free some disk space.', details });
    }
    return passed(check, `${folder} is private and writable, ${free} free`, details);
  });
}

function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** The free space on the disk of a file or folder. */
async function readFreeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(existsSync(path) ? path : dirname(path));
  return bavail * bsize;
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

function renderBytes(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** power;
  return `${amount.toFixed(power > 0 && amount < 10 ? 1 : 0)} ${units[power]}`;
}

/** The database of an embedded salon: whole, writable, private, and with space to grow. Changes nothing in it. */
export async function checkEmbeddedDatabase(baseUrl: string, io: Io): Promise<Check> {
  const check = 'database';
  const location = prepareEmbeddedDatabase(baseUrl, io);
  const path = location.slice('sqlite:'.length);
  if (!existsSync(path)) {
    const hint = 'Run "salon demo" to create the sample salon, or check the name.';
    return failed(check, new SalonError('usage', `${path} does not exist`, { hint }));
  }
  const { size, mode } = await stat(path);
  const freeBytes = await readFreeBytes(path);
  const details = { path, bytes: size, mode: (mode & 0o777).toString(8), free_bytes: freeBytes };
  const paths = [path, dirname(path)].map((each) => isAllowed(each, constants.W_OK));
  if ((await Promise.all(paths)).includes(false)) {
    const hint = `Make the file and its folder writable for this user: ${dirname(path)}`;
    return failed(check, new SalonError('usage', `${path} cannot be written`, { hint }), details);
  }
  const { inspectService } = await import('../../service/administration.ts');
  const { problem, schema } = await inspectService(location);
  if (problem !== undefined) {
    const hint =
      'End every salon process, keep a copy of the file, and restore the last backup. See docs/hosting.md.';
    const error = new SalonError('unexpected_response', `${path} is damaged: ${problem}`, { hint });
    return failed(check, error, details);
  }
  if (io.platform !== 'win32' && (mode & 0o077) !== 0) {
    const message = `Other users can read ${path} (mode ${details.mode})`;
    return warned(check, message, { hint: `Run: chmod 600 ${path}`, details });
  }
  if (freeBytes < size) {
    const message = `${path} has ${renderBytes(size)}, but only ${renderBytes(freeBytes)} are free`;
    return warned(check, message, { hint: 'Free some disk space: a backup needs as much again.', details });
  }
  return passed(check, `${path} is whole, ${renderBytes(size)}, schema ${schema}`, { ...details, schema });
}
