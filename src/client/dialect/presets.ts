import { isDeepStrictEqual } from 'node:util';
import { SalonError } from '../../contract/errors.ts';
import { contractDialect, type Dialect } from './dialect.ts';
import data from './presets.json' with { type: 'json' };

/**
 * Ready-made dialects: what the documentation of each kind of server promises, named in docs/other-servers.md. With an
 * empty prefix the base URL is the whole address. Paths, fields and filters of an installation may differ, and are
 * configured on top.
 */
export const presets = data as unknown as Readonly<Record<PresetName, Partial<Dialect>>>;

export type PresetName = keyof typeof data;

/** For help and choices. */
export const presetNames = Object.keys(data) as PresetName[];

/** Those that ran against the software itself (test/other-servers/real); the others are by its documentation. */
export const provenPresets: readonly PresetName[] = ['django'];

/** The ready-made dialect of that name. Throws `usage`. */
export function readPreset(name: string): Partial<Dialect> {
  if (Object.hasOwn(presets, name)) return presets[name as PresetName];
  throw new SalonError('usage', `"${name}" is not a ready-made dialect.`, {
    hint: `Use one of ${presetNames.join(', ')}, or a JSON file.`,
  });
}

/** Every setting of a server of that kind, or of the contract. */
export function toFullDialect(preset: PresetName | undefined): Dialect {
  return { ...contractDialect, ...(preset && readPreset(preset)) };
}

/** The settings that are not the usual ones. */
export function omitUsual(parts: Partial<Dialect>, usual: Partial<Dialect>): Partial<Dialect> {
  return Object.fromEntries(
    Object.entries(parts).filter(([part, value]) => !isDeepStrictEqual(value, usual[part as keyof Dialect])),
  );
}

/** The server's names for resources, with that of the clients. */
export function nameClients({ resources }: Dialect, clients = 'clients'): Dialect['resources'] {
  return clients === (resources['clients'] ?? 'clients') ? resources : { ...resources, clients };
}
