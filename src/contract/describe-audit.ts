import { toSentence } from '../text/quote.ts';
import { endpoints, type Operation } from './endpoints.ts';
import { kindOfId } from './identifiers.ts';

/** An entry of the audit log, as some server sent it. */
type Row = Readonly<Record<string, unknown>>;

/** Changes that every update has. */
const unremarkable = ['updated_at', 'created_at'];
/** Fields whose values are codes. */
const coded = ['status', 'role', 'reason', 'code', 'method'];
const codeWords: Readonly<Record<string, string>> = { totp: 'authenticator app' };
const maxValueLength = 60;

const actorWords: Readonly<Record<string, string>> = {
  operator: 'Operator',
  service: 'Salon',
  anonymous: 'Not signed in',
};

const actorKinds: Readonly<Record<string, string>> = { api_key: 'API key', app: 'app' };

/** Who acted: a name, and what has it or was used, such as "API key"; empty for a person in a browser. */
export function toActorInWords({ actor, via }: Row): { readonly name: string; readonly about: string } {
  if (!isFields(actor)) return { name: '', about: '' };
  const type = toText(actor['type']);
  const fixed = findOwn(actorWords, type);
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
interface ChangeInWords {
  readonly field: string;
  /** Undefined for what has no former value. */
  readonly before?: string;
  readonly after: string;
}

/** How a time is written. */
type TimeRenderer = (instant: string) => string;

/** What changed, and what else there is to know; empty for a new record. */
export function listChanges(entry: Row, renderTime: TimeRenderer = String): readonly ChangeInWords[] {
  const { before, after, details } = entry;
  const changes: ChangeInWords[] = [];
  const toValue = (name: string, value: unknown) => renderValue(value, { name, entry, renderTime });
  if (isFields(before) && isFields(after)) {
    const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    for (const name of names.filter((one) => !unremarkable.includes(one))) {
      const [former, value] = [toValue(name, before[name]), toValue(name, after[name])];
      changes.push({ field: toFieldName(name), before: former, after: value });
    }
  }
  for (const [name, value] of Object.entries(isFields(details) ? details : {})) {
    if (value !== sinceEver) changes.push({ field: toFieldName(name), after: toValue(name, value) });
  }
  return changes;
}

/** What changed, such as `phone: 912345678 → 913000000`; empty for a new record. */
export function describeChanges(entry: Row, renderTime?: TimeRenderer): string {
  const parts = listChanges(entry, renderTime).map(({ field, before, after }) =>
    before === undefined ? `${field}: ${after}` : `${field}: ${before} → ${after}`,
  );
  if (entry['erased'] === true) parts.push(erasedWords);
  return parts.join('; ');
}

/** In place of values that were erased with their client. */
export const erasedWords = '(values erased)';

/** A period without a start says nothing. */
const sinceEver = '1970-01-01T00:00:00.000Z';
/** An instant as the service writes it. */
export const writtenInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

function renderValue(
  value: unknown,
  { name, entry, renderTime }: { name: string; entry: Row; renderTime: TimeRenderer },
): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value) && value.length === 0) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  const text = isList ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (writtenInstant.test(text)) return renderTime(text);
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
  return isFields(names) && Object.hasOwn(names, id) ? toText(names[id]) || undefined : undefined;
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

function isFields(value: unknown): value is Row {
  return typeof value === 'object' && value !== null;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Actions whose words are not simply those of their code. */
const actionWords: Readonly<Record<string, string>> = {
  'appointment.no_show': 'Appointment marked as no-show',
  'appointment.arrived': 'Client arrived',
  'audit_log.pruned': 'Old audit entries deleted',
  'audit_values.erased': 'Client erased from the audit log',
  'account.loaded': 'Records imported',
  'account.seeded': 'Sample records added',
  'access.refused': 'Request refused',
  'client.restored': 'Merge of clients undone',
  'client.merged': 'Client merged into another',
  'membership.created': 'Member joined',
  'membership.ended': 'Member deactivated',
  'membership.updated': 'Member changed',
  'oauth_client.secret_revoked': 'Secret of OAuth client revoked',
  'oauth_client.secret_rotated': 'Secret of OAuth client rotated',
  'oauth_grant.created': 'App connected',
  'oauth_grant.revoked': 'App disconnected',
  'secrets.rotated': 'Encryption key rotated',
  'user.erased': 'Person erased',
  'user.passkey_added': 'Passkey added',
  'user.passkey_removed': 'Passkey removed',
  'user.password_changed': 'Password changed',
  'user.password_reset': 'Password reset',
  'user.recovery_codes_created': 'Recovery codes created',
  'user.renamed': 'Person renamed',
  'user.reset_created': 'Link to reset a password created',
  'user.reset_requested': 'Password reset requested',
  'user.second_factor_added': 'Second factor added',
  'user.second_factor_removed': 'Second factor removed',
  'user.sign_in_failed': 'Sign-in failed',
  'user.signed_in': 'Signed in',
  'user.signed_out': 'Signed out',
  'webhook.redelivered': 'Webhook deliveries repeated',
  'webhook.secret_rotated': 'Secret of webhook rotated',
};

/** The resources of actions whose words are not simply those of their code. */
const resourceWords: Readonly<Record<string, string>> = {
  access: 'refused requests',
  api_key: 'API keys',
  audit_entry: 'audit entries',
  audit_log: 'audit log',
  audit_values: 'erasures',
  delivery: 'webhook deliveries',
  membership: 'team',
  oauth_client: 'OAuth clients',
  oauth_grant: 'connected apps',
  secrets: 'encryption keys',
  user: 'sign-in and security',
};

const singulars: Readonly<Record<string, string>> = { api_key: 'API key', oauth_client: 'OAuth client' };

/** What was done, in words: "Signed in" for `user.signed_in`, "Client updated" for `client.updated`. */
export function describeAction(action: string): string {
  const own = findOwn(actionWords, action);
  if (own !== undefined) return own;
  const [resource = '', verb = ''] = action.split('.');
  const what =
    verb === 'exported' ? describeResource(resource) : (findOwn(singulars, resource) ?? renderCode(resource));
  return toSentence(`${what} ${renderCode(verb)}`.trim());
}

/** A kind of action in words, such as "Clients" for `client`. */
export function describeResource(resource: string): string {
  return toSentence(findOwn(resourceWords, resource) ?? `${renderCode(resource)}s`);
}

const kindWords: Readonly<Record<string, string>> = {
  client: 'erased client',
  webhook: 'deleted webhook',
  oauth_client: 'deleted app',
  grant: 'former app connection',
  session: 'ended session',
  invitation: 'former invitation',
  user: 'former person',
  api_key: 'API key',
};

/** In place of the name of a record that has none, such as "erased client". The ID itself if its form is unknown. */
function describeUnnamed(id: string): string {
  const kind = kindOfId(id);
  return kind === undefined ? id : (kindWords[kind] ?? renderCode(kind));
}

/** A code as words: "no show" for `no_show`. */
function renderCode(code: string): string {
  return code.replaceAll('_', ' ');
}

function findOwn(words: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
