import { SalonError } from '../../contract/errors.ts';

/** Flags by attribute; false for `--no-…`. */
type Flags = object;

/** How flags are typed, by attribute. */
type FlagNames = Readonly<Record<string, string>>;

/** An empty condition would select everything. Throws `usage`. */
export function assertFilled(flags: Flags, names: FlagNames): void {
  for (const [attribute, name] of Object.entries(names)) {
    const isEmpty = valuesOf(flags, attribute).some((one) => typeof one === 'string' && one.trim() === '');
    if (isEmpty) throw new SalonError('usage', `${name} needs a value.`);
  }
}

/** The first condition that is given. */
export function findCondition(flags: Flags, names: FlagNames): string | undefined {
  const found = Object.keys(names).find((attribute) => valuesOf(flags, attribute).length > 0);
  return found === undefined ? undefined : names[found];
}

/** The conditions as they are typed, such as `--tag vip --no-email`. */
export function renderConditions(flags: Flags, names: FlagNames): string {
  const parts = Object.entries(names).flatMap(([attribute, name]) =>
    valuesOf(flags, attribute).map((value) => {
      if (value === false) return name;
      const text = String(value);
      return `${name} ${/^[\w@.,+:-]+$/.test(text) ? text : JSON.stringify(text)}`;
    }),
  );
  return parts.join(' ');
}

function valuesOf(flags: Flags, attribute: string): readonly unknown[] {
  const value = (flags as Readonly<Record<string, unknown>>)[attribute];
  return value === undefined ? [] : [value].flat();
}
