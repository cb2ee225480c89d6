/** An entry of the audit log, as some server sent it. */
type Row = Readonly<Record<string, unknown>>;

/** Changes that say nothing of their own. */
const unremarkable = ['updated_at', 'created_at'];
const maxValueLength = 60;

/** Who acted, in words: a name, and the app that a person used. */
export function describeActor({ actor, via }: Row): string {
  if (!isFields(actor)) return '';
  const name = toText(actor['name']) || toText(actor['id']) || actorWords[toText(actor['type'])] || 'unknown';
  const app = isFields(via) && via['type'] === 'app' ? ` (${toText(via['name'])})` : '';
  return actor['type'] === 'api_key' ? `key ${name}` : `${name}${app}`;
}

const actorWords: Readonly<Record<string, string>> = {
  operator: 'operator',
  service: 'service',
  anonymous: 'unknown',
};

/** What changed, such as `phone: 912345678 → 913000000`; empty for a new record. */
export function describeChanges({ before, after, details, erased }: Row): string {
  const parts: string[] = [];
  if (isFields(before) && isFields(after)) {
    const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    for (const name of names.filter((one) => !unremarkable.includes(one))) {
      parts.push(`${name}: ${toValue(before[name])} → ${toValue(after[name])}`);
    }
  }
  if (isFields(details)) {
    for (const [name, value] of Object.entries(details)) parts.push(`${name}: ${toValue(value)}`);
  }
  if (erased === true) parts.push('(values erased)');
  return parts.join('; ');
}

function toValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength - 1)}…` : text;
}

function isFields(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
