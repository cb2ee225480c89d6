import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toFileFailure } from '../../bulk/jobs/file-access.ts';
import { SalonError } from '../../contract/errors.ts';
import { createPrivateFolder } from '../../local-state/local-state.ts';
import type { Io } from '../io.ts';
import { dataFolder } from './folders.ts';

const scheme = 'embedded:';
const salonName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Whether a base URL names an embedded salon, such as `embedded:demo`. */
export function isEmbedded(baseUrl: string): boolean {
  return baseUrl.startsWith(scheme);
}

/** The base URL of an embedded salon. */
export function toEmbeddedUrl(name: string): string {
  return scheme + name;
}

/** The database URL of an embedded salon. Creates the data folder when missing. */
export function prepareEmbeddedDatabase(baseUrl: string, io: Io): string {
  const name = baseUrl.slice(scheme.length);
  if (!salonName.test(name)) {
    throw new SalonError('usage', `"${baseUrl}" is not a valid embedded salon.`, {
      hint: 'Use only letters, digits, dashes and underscores in the name, such as embedded:demo.',
    });
  }
  const folder = dataFolder(io);
  try {
    createPrivateFolder(folder);
  } catch (error) {
    throw toFileFailure(folder, error);
  }
  return `sqlite:${join(folder, `${name}.db`)}`;
}

/** Opens the service, on a free loopback port where others are to reach it. */
export async function openEmbedded(baseUrl: string, io: Io, { isInside }: { readonly isInside: boolean }) {
  const { openService } = await import('../../service/service.ts');
  const { parseServiceConfig } = await import('../../service/config.ts');
  const database = prepareEmbeddedDatabase(baseUrl, io);
  if (!existsSync(database.slice('sqlite:'.length))) {
    throw new SalonError('usage', `No embedded salon named "${baseUrl.slice(scheme.length)}".`, {
      hint: 'Run "salon demo" to create the sample salon, or check the name.',
    });
  }
  const settings = { database, port: '0', logLevel: 'silent', allowLoopbackWebhooks: true };
  const config = parseServiceConfig(settings);
  const { now, random, tzVersion, stderr: log } = io;
  return openService(config, { now, random, tzVersion, log, isOfCommand: true, isInside });
}
