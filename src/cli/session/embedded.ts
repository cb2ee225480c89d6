import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { dataFolder } from './folders.ts';

const scheme = 'embedded:';
const salonName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Whether a base address names a salon inside this program, such as `embedded:demo`. */
export function isEmbedded(baseUrl: string): boolean {
  return baseUrl.startsWith(scheme);
}

/** The base address of an embedded salon. */
export function embeddedAddress(name: string): string {
  return scheme + name;
}

/** The database of an embedded salon: a file in the data folder, which is made when missing. */
export function embeddedDatabase(baseUrl: string, io: Io): string {
  const name = baseUrl.slice(scheme.length);
  if (!salonName.test(name)) {
    throw new SalonError('usage', `"${baseUrl}" does not name an embedded salon.`, {
      hint: 'Use a name of letters, digits, dashes and underscores, such as embedded:demo.',
    });
  }
  const folder = dataFolder(io);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return `sqlite:${join(folder, `${name}.db`)}`;
}

/** Opens the real service on a loopback port of its own, for as long as one command takes. */
export async function openEmbedded(baseUrl: string, io: Io) {
  const { openService } = await import('../../service/service.ts');
  const { parseServiceConfig } = await import('../../service/config.ts');
  const database = embeddedDatabase(baseUrl, io);
  if (!existsSync(database.slice('sqlite:'.length))) throw missingSalon(baseUrl);
  const config = parseServiceConfig({
    database,
    port: '0',
    logLevel: 'silent',
  });
  return openService(config, { now: io.now, random: io.random, log: io.stderr });
}

function missingSalon(baseUrl: string): SalonError {
  return new SalonError('usage', `There is no embedded salon "${baseUrl.slice(scheme.length)}".`, {
    hint: 'Make the sample salon with "salon demo", or check the address.',
  });
}
