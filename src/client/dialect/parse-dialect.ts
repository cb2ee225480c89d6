import { SalonError } from '../../contract/errors.ts';
import { toSettingName } from '../../settings.ts';
import { type Fields, isFields } from '../json-object.ts';
import { type Dialect, dialectRules, toCamelCase } from './dialect.ts';
import { presetNames, readPreset } from './presets.ts';

export const dialectParts = Object.keys(dialectRules) as readonly (keyof Dialect)[];

/**
 * Parses the members of a dialect that a file or a profile has: `pageParameter` or `page_parameter`, and `extends` with
 * the name of a ready-made dialect. Throws `usage` with the path of the first invalid member.
 */
export function parseDialect(value: unknown): Partial<Dialect> {
  if (!isFields(value)) throw invalid('', 'must be a JSON object');
  const { extends: presetName, ...members } = value;
  if (presetName !== undefined && typeof presetName !== 'string') {
    throw invalid('extends', `must be one of ${presetNames.join(', ')}`);
  }
  const parsed = Object.entries(members).map(([key, member]) => [toPart(key), member, key] as const);
  const twice = parsed.find(([part], at) => parsed.findIndex(([other]) => other === part) < at);
  if (twice !== undefined) throw invalid(twice[2], `is given twice, also as ${toOtherCase(twice[2])}`);
  const own: Partial<Dialect> = Object.fromEntries(
    parsed.map(([part, member, key]) => [part, parsePart(part, member, key)]),
  );
  const preset: Partial<Dialect> = presetName === undefined ? {} : readPreset(presetName);
  const { lists = preset.lists, fields = preset.fields } = own;
  return {
    ...preset,
    ...own,
    ...(lists && { lists: joinResources(preset.lists, lists) }),
    ...(fields && { fields: joinResources(preset.fields, fields) }),
  };
}

/** What a ready-made dialect has for a resource stays, unless another one replaces that setting or field. */
function joinResources<Own extends object>(
  preset: Readonly<Record<string, Own>> = {},
  given: Readonly<Record<string, Own>> = {},
): Readonly<Record<string, Own>> {
  const own = Object.entries(given).map(([plural, parts]) => [plural, { ...preset[plural], ...parts }]);
  return { ...preset, ...Object.fromEntries(own) };
}

/** Parses one member. Throws `usage`, naming it `shownAs`. */
export function parsePart<Part extends keyof Dialect>(
  part: Part,
  value: unknown,
  shownAs: string = part,
): Dialect[Part] {
  const { parse, expected } = dialectRules[part];
  const parsed = parse(value);
  if (parsed !== undefined) return parsed as Dialect[Part];
  const wrong = findWrongMember(part, value);
  throw invalid(wrong === undefined ? shownAs : `${shownAs}.${wrong}`, `must be ${expected}`, value);
}

function toPart(key: string): keyof Dialect {
  const part = toCamelCase(key);
  if (Object.hasOwn(dialectRules, part)) return part as keyof Dialect;
  throw invalid(key, 'is not a setting of a dialect');
}

function toOtherCase(key: string): string {
  return key.includes('_') ? toCamelCase(key) : toSettingName(key);
}

/** The member of a map, or of a map in it, with which it becomes invalid. */
function findWrongMember(part: keyof Dialect, value: unknown): string | undefined {
  const isWrong = (one: unknown) => dialectRules[part].parse(one) === undefined;
  const key = findFirstWrong(value, isWrong);
  if (key === undefined || part !== 'fields') return key;
  const inner = findFirstWrong(Object(value)[key], (one) => isWrong({ [key]: one }));
  return inner === undefined ? key : `${key}.${inner}`;
}

function findFirstWrong(value: unknown, isWrong: (some: Fields) => boolean): string | undefined {
  const members = isFields(value) ? Object.entries(value) : [];
  const end = members.findIndex((_one, index) => isWrong(Object.fromEntries(members.slice(0, index + 1))));
  return members[end]?.[0];
}

function invalid(path: string, problem: string, value?: unknown): SalonError {
  const found = value === undefined ? '' : ` (found ${JSON.stringify(value).slice(0, 80)})`;
  const where = path === '' ? 'It' : `${JSON.stringify(path.slice(0, 80))}`;
  return new SalonError('usage', `The dialect is not valid. ${where} ${problem}${found}.`, {
    hint: 'The settings are described in docs/other-servers.md.',
  });
}
