import { SalonError } from '../../contract/errors.ts';

/**
 * The fields of a write: `name=text` and `name:=json` of --set over the object of --data. Members named like
 * `__proto__` become members like any other. Throws `usage` for what is neither, and for a name set twice.
 */
export function parseAssignments(set: readonly string[], data: unknown): Record<string, unknown> {
  const fields = new Map(Object.entries(parseData(data)));
  const assigned = new Set<string>();
  for (const text of set) {
    const [name, value] = parseAssignment(text);
    if (assigned.has(name)) throw new SalonError('usage', `--set gives "${name}" twice.`);
    assigned.add(name);
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

function parseData(data: unknown): object {
  if (data === undefined) return {};
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data;
  const what = data === null ? 'null' : Array.isArray(data) ? 'a list' : `a ${typeof data}`;
  throw new SalonError('usage', `--data needs a JSON object, not ${what}.`, {
    hint: 'Such as --data \'{"notes": "Prefers mornings"}\'',
  });
}

function parseAssignment(text: string): [name: string, value: unknown] {
  const middle = text.indexOf('=');
  const typed = text[middle - 1] === ':';
  const name = text.slice(0, Math.max(0, typed ? middle - 1 : middle));
  if (name === '') {
    throw new SalonError('usage', `--set needs field=value, not "${text}".`, {
      hint: 'field=text for text, field:=json for everything else, such as tags:=\'["vip"]\' or notes:=null',
    });
  }
  const value = text.slice(middle + 1);
  return [name, typed ? parseJson(value, name) : value];
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SalonError('usage', `--set ${name}:= needs JSON, not "${text}".`, {
      hint: `For text write ${name}=${text || 'text'}`,
      cause,
    });
  }
}
