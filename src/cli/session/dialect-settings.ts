import type { Dialect } from '../../client/dialect/dialect.ts';
import { dialectParts, dialectRules, parseDialect, parsePart } from '../../client/dialect/parse-dialect.ts';
import { presetNames, readPreset } from '../../client/dialect/presets.ts';
import type { Profile } from './profiles.ts';
import { toSettingName } from './setting-names.ts';

/** A dialect as a profile or a file has it: members, and `extends` with the name of a ready-made one. */
export type SavedDialect = NonNullable<Profile['dialect']>;

type Part = keyof Dialect;

/** All names, for suggestions. Each may start with `dialect.`; headers must, because a profile has its own. */
export const dialectSettings: readonly string[] = [
  'dialect',
  ...dialectParts.map((part) => (part === 'headers' ? `dialect.${part}` : toSettingName(part))),
  'filter.<name>',
];

/**
 * Returns the changed dialect; undefined for an unknown setting. The value `default` removes a setting, and `none` stands
 * for null. A setting of several values is changed by its member, as in `filter.q`. Throws `usage` for an invalid value.
 */
export function setDialectPart(saved: SavedDialect, setting: string, text: string): SavedDialect | undefined {
  const [name = '', ...keys] = setting
    .replace(/^dialect\./, '')
    .replace(/^filter\./, 'filter_names.')
    .split('.');
  const part = toPart(name);
  if (part === undefined) return undefined;
  if (keys.length === 0)
    return replace(saved, part, text === 'default' ? undefined : toValue(part, text, setting));
  if (!isMap(part)) return undefined;
  const key = keys.join('.');
  const { [key]: _former, ...others } = readMap(saved, part);
  if (text === 'default') return replace(saved, part, others);
  return replace(saved, part, parsePart(part, { ...others, [key]: text === 'none' ? null : text }, setting));
}

/** Parses a saved dialect. Members that this version does not know are left out. Throws `usage` for an invalid value. */
export function parseSavedDialect(saved: SavedDialect): Partial<Dialect> {
  return parseDialect(
    Object.fromEntries(
      Object.entries(saved).filter(
        ([member]) => member === 'extends' || toPart(toSettingName(member)) === member,
      ),
    ),
  );
}

/** Parses the value of a part from a text. Throws `usage`, naming it `shownAs`. */
function toValue(part: Part, text: string, shownAs: string): unknown {
  const { parse } = dialectRules[part];
  const fitting = readings(text).find((value) => parse(value) !== undefined);
  return fitting === undefined ? parsePart(part, text, shownAs) : fitting;
}

/** The part of that name: `pageParameter` for `page_parameter`. */
export function toPart(name: string): Part | undefined {
  return dialectParts.find((part) => toSettingName(part) === name);
}

/** What a text may stand for, most likely first. */
function readings(text: string): readonly unknown[] {
  const parts = text.split(',').map((one) => one.trim());
  return [
    // A path has no null.
    ...(text === 'none' ? [null, ''] : []),
    text,
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
    Number(text),
    parseJson(text),
    ...(parts.every((one) => /^[^=]+=/.test(one)) ? [Object.fromEntries(parts.map(toEntry))] : []),
    parts,
  ];
}

function toEntry(text: string): [string, string | null] {
  const [key = '', ...value] = text.split('=');
  return [key, value.join('=') === 'none' ? null : value.join('=')];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMap(part: Part): boolean {
  return dialectRules[part].parse({}) !== undefined;
}

/** The members of a map, those of a ready-made dialect included. */
function readMap(saved: SavedDialect, part: Part): Readonly<Record<string, unknown>> {
  const own = saved[part];
  if (typeof own === 'object' && own !== null) return { ...own };
  const preset = presetNames.find((name) => name === saved['extends']);
  return preset === undefined ? {} : { ...(readPreset(preset)[part] as object | undefined) };
}

function replace(saved: SavedDialect, part: Part, value: unknown): SavedDialect {
  const { [part]: _former, ...others } = saved;
  return value === undefined ? others : { ...others, [part]: value };
}
