import { constants, existsSync } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import packageFile from '../../../package.json' with { type: 'json' };
import { SalonError } from '../../contract/errors.ts';
import { type Io, version } from '../io.ts';
import { prepareEmbeddedDatabase } from '../session/embedded.ts';
import { configFolder, dataFolder } from '../session/folders.ts';
import { type Check, failed, passed, skipped, warned } from './check-result.ts';

const minFreeBytes = 100 * 1_048_576;

export async function checkVersions({ nodeVersion }: Io): Promise<Check> {
  const { describeEngine } = await import('../../service/administration.ts');
  const database = describeEngine();
  const { undici } = packageFile.dependencies;
  const details = { salon: version, node: nodeVersion, database, undici };
  return passed('versions', `salon ${version}, Node ${nodeVersion}, ${database}, undici ${undici}`, details);
}

/** The folders of profiles and data: private, writable, and with free space. */
export async function checkFolders(io: Io): Promise<Check[]> {
  return Promise.all([checkFolder('config', configFolder, io), checkFolder('data', dataFolder, io)]);
}

async function checkFolder(check: string, find: (io: Io) => string, io: Io): Promise<Check> {
  try {
    return await checkFoundFolder(check, find(io), io);
  } catch (thrown) {
    // There is no home folder.
    if (!(thrown instanceof SalonError)) throw thrown;
    return failed(check, thrown);
  }
}

async function checkFoundFolder(check: string, folder: string, { platform }: Io): Promise<Check> {
  if (!existsSync(folder)) return skipped(check, `Not checked: ${folder} does not exist yet`);
  const { mode, isFolder } = await stat(folder).then((found) => ({
    mode: found.mode & 0o777,
    isFolder: found.isDirectory(),
  }));
  const details = { folder, mode: mode.toString(8), free_bytes: await readFreeBytes(folder) };
  if (!isFolder)
    return failed(check, createFolderError(folder, 'is not a folder', 'Move that file away.'), details);
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) {
    const hint = 'Change its permissions, or set SALON_CONFIG_DIR and SALON_DATA_DIR to other folders.';
    return failed(check, createFolderError(folder, 'cannot be written', hint), details);
  }
  if (platform !== 'win32' && (mode & 0o077) !== 0) {
    const message = `Other users can read ${folder} (mode ${mode.toString(8)})`;
    return warned(check, message, { hint: `Run: chmod 700 ${folder}`, details });
  }
  if (details.free_bytes < minFreeBytes) {
    const message = `${folder} has only ${renderBytes(details.free_bytes)} left`;
    return warned(check, message, { hint: 'Free some disk space.', details });
  }
  return passed(check, `${folder} is private and writable, ${renderBytes(details.free_bytes)} free`, details);
}

function createFolderError(folder: string, problem: string, hint: string): SalonError {
  return new SalonError('usage', `${folder} ${problem}`, { hint });
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

const check = 'database';
const damagedHint =
  'End every salon process, keep a copy of the file, and restore the last backup. See docs/hosting.md.';

/** The database of an embedded salon: whole, writable, private, and with space to grow. Changes nothing in it. */
export async function checkEmbeddedDatabase(baseUrl: string, io: Io): Promise<Check> {
  const location = prepareEmbeddedDatabase(baseUrl, io);
  const path = location.slice('sqlite:'.length);
  if (!existsSync(path)) {
    const hint = 'Run "salon demo" to create the sample salon, or check the name.';
    return failed(check, new SalonError('usage', `${path} does not exist`, { hint }));
  }
  const { size, mode } = await stat(path);
  const details = {
    path,
    bytes: size,
    mode: (mode & 0o777).toString(8),
    free_bytes: await readFreeBytes(path),
  };
  if (!(await canWrite(path))) {
    const hint = `Make the file and its folder writable for this user: ${dirname(path)}`;
    return failed(check, new SalonError('usage', `${path} cannot be written`, { hint }), details);
  }
  const { inspectService } = await import('../../service/administration.ts');
  const { problem, schema } = await inspectService(location);
  if (problem !== undefined) {
    const error = new SalonError('unexpected_response', `${path} is damaged: ${problem}`, {
      hint: damagedHint,
    });
    return failed(check, error, details);
  }
  if (io.platform !== 'win32' && (mode & 0o077) !== 0) {
    const message = `Other users can read ${path} (mode ${details.mode})`;
    return warned(check, message, { hint: `Run: chmod 600 ${path}`, details });
  }
  if (details.free_bytes < size) {
    const message = `${path} has ${renderBytes(size)}, but only ${renderBytes(details.free_bytes)} are free`;
    return warned(check, message, { hint: 'Free some disk space: a backup needs as much again.', details });
  }
  return passed(check, `${path} is whole, ${renderBytes(size)}, schema ${schema}`, { ...details, schema });
}

async function canWrite(path: string): Promise<boolean> {
  return Promise.all([path, dirname(path)].map((each) => access(each, constants.W_OK))).then(
    () => true,
    () => false,
  );
}
