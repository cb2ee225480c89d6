import { apiKeyDays, type CreatedApiKey } from '../../../contract/api-key.ts';
import type { BodyOf } from '../../../contract/endpoints.ts';
import { isNotAbove, parseRole, roles, roleTexts, type Scope, scopes } from '../../../contract/roles.ts';
import { dayMs } from '../../../contract/time.ts';
import { createApiKey } from '../../identity/api-keys.ts';
import { actionRow, code, detailList, linkButton, shownOnce, time } from '../components.ts';
import {
  button,
  choiceField,
  errorSummary,
  type FieldErrors,
  form,
  type Option,
  selectField,
  textArea,
  textField,
  toFieldErrors,
} from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { apiKeysPath } from './api-keys-page.ts';
import type { FormResult, SettingsPage } from './settings-page.ts';
import { listStylistNames } from './stylist-names.ts';

/** Integrations → API Keys → Generate New Key. */
export const newApiKeyPage: SettingsPage = {
  path: `${apiKeysPath}/new`,
  title: 'Generate New Key',
  group: 'Integrations',
  parent: apiKeysPath,
  action: 'api_keys.write',
  isSensitive: true,

  async render(context) {
    return renderKeyForm(context, { sent: new URLSearchParams(), stylists: await readStylists(context) });
  },

  forms: {
    async generate(context, sent): Promise<FormResult> {
      const again = async (errors: FieldErrors): Promise<FormResult> => ({
        page: renderKeyForm(context, { sent, errors, stylists: await readStylists(context) }),
        status: 422,
      });
      const read = readKeyForm(sent, context.environment.now());
      if ('errors' in read) return again(read.errors);
      try {
        return { page: renderNewKey(context, await createApiKey(context, read.body)) };
      } catch (error) {
        return again(toFieldErrors(error, keyFields));
      }
    },
  },
};

/** The new key, which is shown only on this page. */
export function renderNewKey({ origin }: PageContext, created: CreatedApiKey, former?: Html): Html {
  const details = detailList([
    ['Name', created.name],
    ['Role', created.role],
    ['Expires', time(created.expires_at)],
    ['Sign in', code(`salon auth login --base-url ${origin} --with-key`)],
  ]);
  return html`${shownOnce({ label: 'API key', value: created.key })}${former}
<section class="card">${details}</section>
${actionRow(linkButton({ href: apiKeysPath, label: 'Done', isPrimary: true }))}`;
}

async function readStylists(context: PageContext): Promise<readonly Option[]> {
  const stylists = await listStylistNames(context);
  return stylists.filter(({ isActive }) => isActive).map(({ id, name }) => ({ value: id, label: name }));
}

const keyFields = [
  'name',
  'role',
  'stylist_id',
  'access',
  'scopes',
  'expires',
  'expires_on',
  'allowed_addresses',
] as const;

const periods: readonly Option[] = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: String(apiKeyDays), label: '1 year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
];

interface KeyForm {
  /** What the form contained when it was sent. */
  readonly sent: URLSearchParams;
  readonly errors?: FieldErrors;
  /** Active stylists. */
  readonly stylists: readonly Option[];
}

/** The form that generates a key. */
function renderKeyForm({ caller, csrf }: PageContext, { sent, errors, stylists }: KeyForm): Html {
  const roleOptions = roles
    .filter((role) => isNotAbove(role, caller.role))
    .map((role) => ({ value: role, label: `${roleTexts[role].title}: ${roleTexts[role].summary}` }));
  const body = html`${textField({
    label: 'Name',
    name: 'name',
    hint: 'What the key is for, such as "Website" or "Till at the front desk".',
    value: sent.get('name'),
    maxLength: 100,
    hasFocus: errors === undefined,
    errors,
  })}
${selectField({ label: 'Role', name: 'role', options: roleOptions, value: sent.get('role') ?? 'viewer', errors })}
${selectField({
  label: 'Stylist',
  name: 'stylist_id',
  hint: 'Needed for the role Stylist, and only for it.',
  options: [{ value: '', label: 'None' }, ...stylists],
  value: sent.get('stylist_id'),
  isOptional: 'conditional',
  errors,
})}
${choiceField({
  label: 'Access',
  name: 'access',
  choices: [
    { value: 'all', label: 'Everything the role allows', isChosen: sent.get('access') !== 'some' },
    { value: 'some', label: 'Only the scopes chosen below', isChosen: sent.get('access') === 'some' },
  ],
  errors,
})}
${choiceField({
  label: 'Scopes',
  name: 'scopes',
  choices: scopes.map((scope) => ({
    value: scope,
    label: scope,
    isChosen: sent.getAll('scopes').includes(scope),
  })),
  isMultiple: true,
  isTwoColumns: true,
  isOptional: true,
  errors,
})}
${selectField({ label: 'Expires', name: 'expires', options: periods, value: sent.get('expires') ?? String(apiKeyDays), errors })}
${textField({
  label: 'Expiry date',
  name: 'expires_on',
  type: 'date',
  hint: 'Only with "On a date". The key is valid until the end of that day (UTC).',
  value: sent.get('expires_on'),
  isOptional: true,
  errors,
})}
${textArea({
  label: 'Allowed addresses',
  name: 'allowed_addresses',
  hint: 'IP addresses or ranges that the key may be used from, one per line, such as 203.0.113.7 or 2001:db8::/32.',
  value: sent.get('allowed_addresses'),
  isOptional: true,
  errors,
})}
${button({ label: 'Generate New Key', kind: 'primary' })}`;
  return html`${errorSummary(errors)}<section class="card">${form({ name: 'generate', csrf, body })}</section>`;
}

/** The body that a form asks for, or what is wrong with its choices. */
function readKeyForm(
  sent: URLSearchParams,
  now: Date,
): { readonly body: BodyOf<'createApiKey'> } | { readonly errors: FieldErrors } {
  const errors: Record<string, string> = {};
  const role = parseRole(sent.get('role'));
  if (role === undefined) errors['role'] = 'Choose a role.';
  const stylistId = sent.get('stylist_id') ?? '';
  const chosen = sent
    .getAll('scopes')
    .filter((text): text is Scope => scopes.some((known) => known === text));
  const isLimited = sent.get('access') === 'some';
  if (!isLimited && chosen.length > 0)
    errors['access'] = 'Choose "Only the scopes chosen below", or clear the scopes.';
  if (isLimited && chosen.length === 0) errors['scopes'] = 'Choose at least one scope.';
  const expires = readExpiry(sent, now, errors);
  const lines = (sent.get('allowed_addresses') ?? '').split(/[\s,]+/).filter((line) => line !== '');
  if (role === undefined || expires === undefined || Object.keys(errors).length > 0) return { errors };
  return {
    body: {
      ...{ name: sent.get('name') ?? '', role, expires_at: expires, allowed_addresses: lines },
      ...(stylistId === '' ? {} : { stylist_id: stylistId }),
      ...(isLimited ? { scopes: chosen } : {}),
    },
  };
}

/** RFC 3339, or null for never. Undefined, with an error, for a choice that cannot be understood. */
function readExpiry(
  sent: URLSearchParams,
  now: Date,
  errors: Record<string, string>,
): string | null | undefined {
  const choice = sent.get('expires') ?? '';
  const date = sent.get('expires_on') ?? '';
  const fail = (name: string, text: string) => {
    errors[name] = text;
    return undefined;
  };
  if (choice !== 'date' && date !== '') return fail('expires', 'Choose "On a date", or clear the date.');
  if (choice === 'never') return null;
  if (choice === 'date') {
    const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
    const end = ms + dayMs;
    if (Number.isNaN(end)) return fail('expires_on', 'Enter a date.');
    return end > now.getTime() ? toText(end) : fail('expires_on', 'Choose a date in the future.');
  }
  const isKnown = periods.some(({ value }) => value === choice);
  return isKnown ? toText(now.getTime() + Number(choice) * dayMs) : fail('expires', 'Choose an expiry.');
}

function toText(ms: number): string {
  return new Date(ms).toISOString();
}
