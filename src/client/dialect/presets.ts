import { SalonError } from '../../contract/errors.ts';
import type { Dialect } from './dialect.ts';
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
