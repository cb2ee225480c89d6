import { describeUnnamed, renderCode } from './audit-actions.ts';
import { endpoints, type Operation } from './endpoints.ts';
import { kindOfId } from './identifiers.ts';

/** An entry of the audit log, as some server sent it. */
type Row = Readonly<Record<string, unknown>>;

/** Changes that say nothing of their own. */
const unremarkable = ['updated_at', 'created_at'];
/** Fields whose values are codes. */
const coded = ['status', 'role', 'reason', 'code', 'method'];
const codeWords: Readonly<Record<string, string>> = { totp: 'authenticator app' };
const maxValueLength = 60;

/** Who acted: a name, and what has it or was used. */
export interface ActorInWords {
  readonly name: string;
  /** Such as "API key"; empty for a person in a browser. */
  readonly about: string;
}

const actorWords: Readonly<Record<string, string>> = {
  operator: 'Operator',
  service: 'Salon',
  anonymous: 'Not signed in',
};

const actorKinds: Readonly<Record<string, string>> = { api_key: 'API key', app: 'app' };

/** Who acted, in words. */
export function toActorInWords({ actor, via }: Row): ActorInWords {
  if (!isFields(actor)) return { name: '', about: '' };
  const type = toText(actor['type']);
  const fixed = Object.hasOwn(actorWords, type) ? actorWords[type] : undefined;
  if (fixed !== undefined) return { name: fixed, about: '' };
  const app = isFields(via) && via['type'] === 'app' ? `with ${toText(via['name']) || 'an app'}` : '';
  const name = toText(actor['name']) || toText(actor['id']) || 'Unknown';
  return { name, about: actorKinds[type] ?? app };
}

/** Who acted, as one text: "Ana Costa", "front desk (API key)". */
export function describeActor(entry: Row): string {
  const { name, about } = toActorInWords(entry);
  return about === '' ? name : `${name} (${about})`;
}

/** Which record it was done to, by name: "Ana Costa", "Haircut for Ana Costa", "erased client". Empty if there is none. */
export function describeRecord(entry: Row): string {
  const id = toText(entry['record_id']);
  if (id === '') return '';
  const name = nameOf(id, entry) ?? findOwnName(entry) ?? (hasNames(entry) ? describeUnnamed(id) : id);
  const client = toText(entry['client_id']);
  if (client === '' || client === id) return name;
  const owner = nameOf(client, entry) ?? (hasNames(entry) ? describeUnnamed(client) : client);
  return `${name} ${kindOfId(id) === 'payment' ? 'from' : 'for'} ${owner}`;
}

/** A field that changed, in words. */
export interface ChangeInWords {
  readonly field: string;
  /** Undefined for what has no former value. */
  readonly before?: string;
  readonly after: string;
}

/** How a time is written. */
type TimeRenderer = (instant: string) => string;

/** What changed, and what else there is to know; empty for a new record. */
export function listChanges(entry: Row, renderTime: TimeRenderer = asItIs): ChangeInWords[] {
  const { before, after, details } = entry;
  const changes: ChangeInWords[] = [];
  const toValue = (name: string, value: unknown) => renderValue(value, { name, entry, renderTime });
  if (isFields(before) && isFields(after)) {
    const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    for (const name of names.filter((one) => !unremarkable.includes(one))) {
      changes.push({
        field: toFieldName(name),
        before: toValue(name, before[name]),
        after: toValue(name, after[name]),
      });
    }
  }
  if (!isFields(details)) return changes;
  const told = Object.entries(details).filter(([, value]) => value !== sinceEver);
  const others = told.map(([name, value]) => ({
    field: toFieldName(name),
    after: toValue(name, value),
  }));
  return [...changes, ...others];
}

/** What changed, such as `phone: 912345678 → 913000000`; empty for a new record. */
export function describeChanges(entry: Row, renderTime?: TimeRenderer): string {
  const parts = listChanges(entry, renderTime).map(({ field, before, after }) =>
    before === undefined ? `${field}: ${after}` : `${field}: ${before} → ${after}`,
  );
  if (entry['erased'] === true) parts.push(erasedWords);
  return parts.join('; ');
}

/** Stands for values that were erased with their client. */
export const erasedWords = '(values erased)';

/** A period without a start says nothing. */
const sinceEver = '1970-01-01T00:00:00.000Z';
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

function renderValue(
  value: unknown,
  { name, entry, renderTime }: { name: string; entry: Row; renderTime: TimeRenderer },
): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value) && value.length === 0) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  const text = isList ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (instant.test(text)) return renderTime(text);
  if (name === 'operation' && Object.hasOwn(endpoints, text)) return endpoints[text as Operation].summary;
  if (hasNames(entry) && kindOfId(text) !== undefined) return nameOf(text, entry) ?? describeUnnamed(text);
  const words = coded.includes(name) ? (codeWords[text] ?? renderCode(text)) : text;
  return words.length > maxValueLength ? `${words.slice(0, maxValueLength - 1)}…` : words;
}

/** A field in words; an ID is shown as a name. */
function toFieldName(name: string): string {
  return renderCode(name.length > 3 ? name.replace(/_id$/, '') : name);
}

function nameOf(id: string, { names }: Row): string | undefined {
  const name = isFields(names) && Object.hasOwn(names, id) ? toText(names[id]) : '';
  return name === '' ? undefined : name;
}

function hasNames({ names }: Row): boolean {
  return isFields(names);
}

/** The name of a record that no longer exists, from the entry itself. */
function findOwnName({ before, after, details }: Row): string | undefined {
  for (const fields of [after, before, details]) {
    if (!isFields(fields)) continue;
    for (const key of ['name', 'description', 'url', 'email'])
      if (toText(fields[key])) return toText(fields[key]);
  }
  return undefined;
}

function asItIs(text: string): string {
  return text;
}

function isFields(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
