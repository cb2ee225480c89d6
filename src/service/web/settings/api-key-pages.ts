import { type ApiKey, type ApiKeyStatus, apiKeyRoll, rollOverlapSeconds } from '../../../contract/api-key.ts';
import { scopes as allScopes, isNotAbove, scopesWith } from '../../../contract/roles.ts';
import { toSentence } from '../../../text/quote.ts';
import { getApiKey, listApiKeys, revokeApiKey, rollApiKey } from '../../identity/api-keys.ts';
import {
  badge,
  code,
  day,
  intro,
  linkButton,
  notice,
  pager,
  section,
  type Tone,
  table,
  time,
} from '../components.ts';
import { field, renderFields } from '../form-fields.ts';
import { confirmationPage, form, formButtons, onForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import { mayDo, type PageContext } from '../visit.ts';
import type { WebPage } from '../web-page.ts';
import { apiKeysPath, renderNewKey } from './new-api-key-page.ts';
import { readStylistNamesById } from './team/role-fields.ts';

/** The keys of the account: what they may do, who created them, and when they were last used. */
export const apiKeysPage: WebPage = {
  async render(context) {
    const isComplete = context.query.get('show') === 'all';
    const page = Math.max(1, Math.floor(Number(context.query.get('page') ?? 1)) || 1);
    const query = { page, ...(isComplete ? { status: 'active,expired,revoked' } : {}) };
    const { dataJson, next } = await listApiKeys(context, query);
    const keys: ApiKey[] = JSON.parse(dataJson.toString());
    const isLimited = keys.some(({ stylist_id: id }) => id !== null);
    const names = isLimited ? await readStylistNamesById(context) : new Map();
    const show = isComplete ? '&show=all' : '';
    const toPage = (number: number) => `${apiKeysPath}?page=${number}${show}`;
    const links = {
      previous: page > 1 ? toPage(page - 1) : undefined,
      next: next === null ? undefined : toPage(page + 1),
    };
    return html`${intro({
      lead: 'Programs use an API key to work with this salon. Give each program its own key, with no more rights than it needs.',
      actions:
        mayDo(context.caller.role, 'api_keys.write') &&
        linkButton({ href: `${apiKeysPath}/new`, label: 'Generate New Key', isPrimary: true }),
    })}
${section({
  title: isComplete ? 'All keys' : 'Keys',
  actions: isComplete
    ? linkButton({ href: apiKeysPath, label: 'Hide revoked keys', isSmall: true })
    : linkButton({ href: `${apiKeysPath}?show=all`, label: 'Show revoked keys', isSmall: true }),
  body: html`${renderKeys(context, keys, names)}${pager(links)}`,
})}`;
  },
};

function renderKeys(context: PageContext, keys: readonly ApiKey[], names: ReadonlyMap<string, string>): Html {
  const columns = ['Key', 'Rights', 'Created', 'Last used', 'Expires'];
  const rows = keys.map((key) => [
    html`<strong>${key.name}</strong> ${renderStatus(key)}<span class="detail">${code(`${key.prefix ?? 'slk_'}…`)}</span>`,
    renderRights(key, names),
    html`${day(key.created_at)}<span class="detail">${key.created_by_name ?? (key.created_by === null ? 'The operator' : 'Erased person')}</span>`,
    time(key.last_used_at),
    html`${day(key.expires_at)}${key.replaced_by !== null && html`<span class="detail">Rolled</span>`}`,
    renderActions(context, key),
  ]);
  const empty = 'No API keys yet.';
  return table({ caption: 'API keys', columns, actions: 'Change', rows, empty });
}

const tones: Readonly<Record<ApiKeyStatus, Tone>> = { active: 'good', expired: 'warning', revoked: 'bad' };

function renderStatus({ status }: ApiKey): Html | false {
  return status !== 'active' && badge(toSentence(status), tones[status]);
}

function renderRights(key: ApiKey, names: ReadonlyMap<string, string>): Html {
  const { role, scopes, stylist_id: stylistId, allowed_addresses: addresses } = key;
  const limits = [
    stylistId !== null && `Calendar of ${names.get(stylistId) ?? stylistId}`,
    scopes.length < scopesWith(role, allScopes).length && scopes.join(', '),
    addresses.length > 0 && `From ${addresses.join(', ')}`,
  ];
  return html`${badge(role)}${limits.map((limit) => limit && html`<span class="detail">${limit}</span>`)}`;
}

/** Keys above the person's own role are shown, but managed by others. */
function renderActions(context: PageContext, { id, name, role, status }: ApiKey): Html | false {
  if (
    status === 'revoked' ||
    !mayDo(context.caller.role, 'api_keys.write') ||
    !isNotAbove(role, context.caller.role)
  )
    return false;
  const link = (verb: 'roll' | 'revoke', label: string) =>
    linkButton({ href: `${apiKeysPath}/${id}/${verb}`, label, isSmall: true, about: `the key ${name}` });
  return html`${status === 'active' && link('roll', 'Roll')}${link('revoke', 'Revoke')}`;
}

const hourSeconds = 3600;

const rollFields = {
  overlap_seconds: field(apiKeyRoll.properties.overlap_seconds, {
    label: 'How long the current key stays valid',
    choices: {
      0: { label: 'It stops working at once' },
      [hourSeconds]: { label: '1 hour' },
      [24 * hourSeconds]: { label: '24 hours' },
      [3 * 24 * hourSeconds]: { label: '3 days' },
      [7 * 24 * hourSeconds]: { label: '7 days' },
    },
  }),
};

export const rollApiKeyPage: WebPage = {
  async render(context, refused) {
    const key = await readKey(context);
    const values = { overlap_seconds: rollOverlapSeconds.default };
    const body = html`<p>A new key with the same rights replaces ${renderName(key)}. The current one stays valid for a while, so that
you can exchange it everywhere.</p>
${key.created_keys > 0 && html`<p>What it has created (${key.created_keys}) ends with the current one.</p>`}${renderFields(rollFields, { values, refused })}${formButtons({ label: 'Roll key', cancel: apiKeysPath })}`;
    return html`<section class="card">${form(context, { name: 'roll', body })}</section>`;
  },

  forms: {
    roll: onForm(rollFields, async (context: PageContext, change) => {
      const rolled = await rollApiKey(context, context.params['id'] ?? '', change);
      const isOver = new Date(rolled.former_expires_at) <= context.environment.now();
      const former = notice({
        tone: 'neutral',
        body: isOver
          ? 'The old key has stopped working.'
          : html`The old key works until ${time(rolled.former_expires_at)}.`,
      });
      return renderNewKey(context, rolled, former);
    }),
  },
};

export const revokeApiKeyPage = confirmationPage({
  form: 'revoke',
  read: readKey,
  ask(key) {
    const lastUse =
      key.last_used_at === null
        ? 'It has never been used.'
        : html`It was last used ${time(key.last_used_at)}.`;
    return {
      body: html`<p>Programs that use ${renderName(key)}${renderCreated(key)} stop working at once. ${lastUse} This cannot be undone.</p>`,
      label: key.created_keys > 0 ? 'Revoke with everything it created' : 'Revoke key',
      cancel: apiKeysPath,
    };
  },
  async act(context, { id, name, created_keys: created }) {
    await revokeApiKey(context, id);
    const others = created > 0 ? ` and ${created} that it created` : '';
    return { redirect: apiKeysPath, notice: `Revoked the key ${name}${others}.` };
  },
});

function readKey(context: PageContext): Promise<ApiKey> {
  return getApiKey(context, context.params['id'] ?? '');
}

function renderCreated({ created_keys: count }: ApiKey): Html | false {
  return count > 0 && html` or the keys and OAuth client secrets that it created (${count})`;
}

function renderName({ name, prefix }: ApiKey): Html {
  return html`<strong>${name}</strong> (${code(`${prefix ?? 'slk_'}…`)})`;
}
