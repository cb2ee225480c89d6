import { auditedResources } from '../../../contract/audit.ts';
import { describeResource } from '../../../contract/describe-audit.ts';
import type { IdentifierKind } from '../../../contract/identifiers.ts';
import { type AuditMatch, findAuditMatches } from '../../domain/audit-log.ts';
import { notice } from '../components.ts';
import { button } from '../forms.ts';
import { attribute, type Html, html } from '../html.ts';
import type { PageContext } from '../visit.ts';

export const auditLogPath = '/settings/audit-log';

const filterNames = ['record', 'actor', 'resource', 'from', 'to'] as const;

/** What was typed or chosen. */
type TypedAuditFilters = Partial<Record<(typeof filterNames)[number], string>>;

/** What cannot be a filter is left out: a day in another form, or nothing. */
export function readAuditFilters(query: URLSearchParams): TypedAuditFilters {
  const given = filterNames.map((name) => [name, query.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** Looks up the names in filters. */
export async function findAuditFilters(context: PageContext, filters: TypedAuditFilters) {
  const { record, actor, resource, from, to } = filters;
  const records = record === undefined ? undefined : await findAuditMatches(context, record, 'record');
  const actors = actor === undefined ? undefined : await findAuditMatches(context, actor, 'actor');
  const question = html`${askFor('record', records, filters)}${askFor('actor', actors, filters)}`;
  const isClear = [records, actors].every((found) => found === undefined || found.length === 1);
  const about = records?.[0];
  const by = actors?.[0];
  return {
    /** What to choose from, or that none matches. */
    question,
    /** In words, such as "about Ana Costa". */
    words: [about && `about ${about.name}`, by && `by ${by.name}`].filter((text) => text !== undefined),
    /** Undefined while a name matches none, or several. */
    query: isClear
      ? {
          ...(about && (about.kind === 'client' ? { client: about.id } : { record: about.id })),
          ...(by && { actor: by.id }),
          ...(resource === undefined ? {} : { action: `${resource}.*` }),
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        }
      : undefined,
  };
}

const kindWords: Partial<Record<IdentifierKind, string>> = {
  client: 'Client',
  user: 'Person',
  stylist: 'Stylist',
  api_key: 'API key',
  oauth_client: 'App',
  webhook: 'Webhook',
};

function askFor(
  name: 'record' | 'actor',
  found: readonly AuditMatch[] | undefined,
  filters: TypedAuditFilters,
): Html | false {
  if (found === undefined || found.length === 1) return false;
  const typed = filters[name];
  if (found.length === 0) {
    const who = name === 'record' ? 'client, person or record' : 'person, API key or app';
    return notice({ tone: 'warning', title: `No ${who} matches “${typed}”.` });
  }
  const choices = found.map(({ id, name: text, kind, detail }) => {
    const about = [kind && kindWords[kind], detail].filter(Boolean).join(', ');
    return html`<li><a href="${toAuditAddress({ ...filters, [name]: id })}">${text}</a>${about && html` <span class="quiet">${about}</span>`}</li>`;
  });
  return notice({
    tone: 'accent',
    title: `Several match “${typed}”. Which one?`,
    body: html`<ul>${choices}</ul>`,
  });
}

/** The filters: a row on a wide screen, folded on a narrow one. */
export function renderAuditFilters(filters: TypedAuditFilters): Html {
  const { record, actor, resource, from, to } = filters;
  const options = [
    { value: '', label: 'Everything' },
    ...auditedResources.map((value) => ({ value, label: describeResource(value) })),
  ].map(
    ({ value, label }) =>
      html`<option value="${value}"${attribute('selected', value === (resource ?? ''))}>${label}</option>`,
  );
  const isOpen = Object.keys(filters).length > 0;
  return html`<details class="card unfolded"${attribute('open', isOpen)}><summary>Filter</summary>
<form method="get" action="${auditLogPath}" class="filters compact">
${search('record', 'About', record)}${search('actor', 'Done by', actor)}
<div class="field"><label for="resource">Kind</label><select id="resource" name="resource">${options}</select></div>
${date('from', 'From', from)}${date('to', 'To', to)}
${button({ label: 'Filter', kind: 'primary' })}
<p class="hint" id="filter-hint">Names, email addresses and IDs can be typed. Days are in UTC.</p>
</form></details>`;
}

function search(name: string, label: string, value: string | undefined): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="search" maxlength="200" autocomplete="off" spellcheck="false" placeholder="Name or ID" aria-describedby="filter-hint"${attribute('value', value)}></div>`;
}

function date(name: string, label: string, value: string | undefined): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="date" aria-describedby="filter-hint"${attribute('value', value)}></div>`;
}

/** The address of the page with some filters. */
export function toAuditAddress(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? auditLogPath : `${auditLogPath}?${text}`;
}
