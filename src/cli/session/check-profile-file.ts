import { savedSettings } from './saved-settings.ts';

/** Throws a `TypeError` with the path of a member that has another type than a profile file may have. */
type Check = (value: unknown, path: string) => void;

const isText: Check = (value, path) => assertThat(typeof value === 'string' && value !== '', path, 'text');
const isString: Check = (value, path) => assertThat(typeof value === 'string', path, 'text');
const isBoolean: Check = (value, path) => assertThat(typeof value === 'boolean', path, 'true or false');
const isCount: Check = (value, path) =>
  assertThat(Number.isInteger(value) && Number(value) >= 0, path, 'a whole number');

function hasMembers(
  needed: Readonly<Record<string, Check>>,
  others: Readonly<Record<string, Check>> = {},
): Check {
  return (value, path) => {
    eachMember(() => {})(value, path);
    for (const [name, check] of Object.entries({ ...others, ...needed })) {
      const member = (value as Record<string, unknown>)[name];
      if (member !== undefined || name in needed) check(member, `${path}/${name}`);
    }
  };
}

function eachMember(check: Check): Check {
  return (value, path) => {
    assertThat(typeof value === 'object' && value !== null && !Array.isArray(value), path, 'an object');
    for (const [name, member] of Object.entries(value as object)) check(member, `${path}/${name}`);
  };
}

function assertThat(holds: boolean, path: string, expected: string): void {
  if (!holds) throw new TypeError(`${path || 'the whole file'} must be ${expected}.`);
}

const checkOfType: Readonly<Record<string, Check>> = { boolean: isBoolean, integer: isCount };

/** Equal for names that people may take for one. */
export const foldName = (name: string) => name.normalize('NFKC').trim().toLowerCase();

/** Throws a `TypeError` for two members of one name, of which JSON would take the last without a word. */
export function parseProfileFile(text: string) {
  const parsed = JSON.parse(text);
  const open: string[][] = [];
  for (const [token, key] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') open.push([]);
    else if (token === '}') open.pop();
    if (key === undefined) continue;
    // Profiles are at the second level.
    const name: string = open.length === 2 ? foldName(JSON.parse(key)) : JSON.parse(key);
    if (open.at(-1)?.includes(name)) throw new TypeError(`it has the name "${name}" twice.`);
    open.at(-1)?.push(name);
  }
  return parsed;
}

/**
 * Checks what a profile file contains, which people edit, too. What a newer version saved is allowed. A validator with a
 * schema would take half of the start of a list.
 */
export const checkProfileFile: Check = hasMembers(
  {},
  {
    current: isText,
    profiles: eachMember(
      hasMembers(
        { base_url: isText },
        {
          credential: hasMembers({ key: isText, origin: isText }),
          oauth: hasMembers(
            {
              id: isText,
              origin: isText,
              issuer: isText,
              client_id: isText,
              storage: (value, path) =>
                assertThat(value === 'keyring' || value === 'file', path, 'keyring or file'),
            },
            { tokens: hasMembers({ access_token: isText }) },
          ),
          account: hasMembers({ id: isText, name: isString, plan: isText, role: isText }),
          salon: eachMember(isString),
          ...Object.fromEntries(
            savedSettings.map(({ profileKey, type }) => [profileKey, checkOfType[type ?? ''] ?? isText]),
          ),
          headers: eachMember(isString),
          dialect: eachMember(() => {}),
        },
      ),
    ),
  },
);
