import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { prepareEmbeddedDatabase } from '../session/embedded.ts';
import { type Check, failed, passed, warned } from './check.ts';
import { readFreeBytes, renderBytes } from './check-machine.ts';

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
