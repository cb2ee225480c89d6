import { type AuditEntry, auditedResources, auditKeptRange } from '../../../contract/audit.ts';
import { describeActor, describeChanges } from '../../../contract/describe-audit.ts';
import type { QueryOf } from '../../../contract/endpoints.ts';
import { readAuditEntries } from '../../domain/audit-log.ts';
import { readAuditRetention, setAuditRetention } from '../../domain/audit-retention.ts';
import { code, intro, linkButton, pager, section, table, time } from '../components.ts';
import { button, errorSummary, type FieldErrors, form, selectField, textField } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import type { FormResult, SettingsPage } from './settings-page.ts';

const path = '/settings/audit-log';
const perPage = 50;

/** Who did what, newest first, with filters; owners set how long it is kept. */
export const auditLogPage: SettingsPage = {
  path,
  title: 'Audit log',
  group: 'Security',
  action: 'audit.read',
  render: (context) => render(context),
  forms: { retention: saveRetention },
};

const filterNames = ['record', 'actor', 'resource', 'from', 'to'] as const;

type Filters = Partial<Record<(typeof filterNames)[number], string>>;

async function render(context: PageContext, errors?: FieldErrors): Promise<Html> {
  const filters = readFilters(context.query);
  const after = context.query.get('after') ?? undefined;
  const { entries, total, next } = await readAuditEntries(context, {
    ...toQuery(filters),
    ...(after && { after }),
  });
  const days = await readAuditRetention(context.database.reader, context.caller.account.id);
  return html`${intro({ lead: 'Who did what, when and from where. Tampering with these entries shows.' })}
${errorSummary(errors)}
${section({ title: 'Filter', body: renderFilters(filters) })}
${section({
  title: 'Entries',
  lead: `${total.toLocaleString('en')} ${total === 1 ? 'entry' : 'entries'}, newest first.`,
  body: html`${renderEntries(entries)}${pager({
    previous: after === undefined ? undefined : toAddress(filters),
    next: next === null ? undefined : toAddress({ ...filters, after: next }),
  })}`,
})}
${context.caller.role === 'owner' ? renderRetention(context, days, errors) : html``}`;
}

function renderEntries(entries: readonly AuditEntry[]): Html {
  return table({
    caption: 'Entries of the audit log',
    columns: ['Time', 'Who', 'Action', 'Record', 'Changes', 'From'].map((title) => ({ title })),
    rows: entries.map((entry) => [
      time(entry.created_at),
      describeActor(entry),
      entry.action.replaceAll(/[._]/g, ' '),
      entry.record_id === null ? '' : code(entry.record_id),
      describeChanges(entry),
      entry.address ?? '',
    ]),
    empty: 'No entries match.',
  });
}

function renderFilters({ record, actor, resource, from, to }: Filters): Html {
  const resources = auditedResources.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  return html`<form method="get" action="${path}" class="stack">
${selectField({
  ...{ label: 'About', name: 'resource', value: resource ?? '' },
  options: [{ value: '', label: 'everything' }, ...resources],
})}
${textField({ label: 'Record or client ID', name: 'record', value: record, maxLength: 64 })}
${textField({ label: 'Person, API key or app ID', name: 'actor', value: actor, maxLength: 64 })}
${textField({ label: 'From day (UTC)', name: 'from', value: from, type: 'date' })}
${textField({ label: 'To day (UTC)', name: 'to', value: to, type: 'date' })}
<div class="actions">${button({ label: 'Filter', kind: 'primary' })}${linkButton({ href: path, label: 'Show all' })}</div>
</form>`;
}

function renderRetention({ csrf }: PageContext, days: number, errors?: FieldErrors): Html {
  const { least, most } = auditKeptRange;
  const body = html`${textField({
    ...{ label: 'Days', name: 'days', value: String(days), type: 'number', inputMode: 'numeric', errors },
    ...{ hint: `From ${least} to ${most}.`, min: String(least), max: String(most) },
  })}${button({ label: 'Save' })}`;
  return section({
    title: 'Retention',
    lead: 'Older entries are deleted.',
    body: form({ name: 'retention', csrf, body, action: path }),
  });
}

async function saveRetention(context: PageContext, sent: URLSearchParams): Promise<FormResult> {
  const text = sent.get('days') ?? '';
  const days = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  const { least, most } = auditKeptRange;
  if (context.caller.role === 'owner' && !(days >= least && days <= most)) {
    const errors = { days: `Enter a whole number from ${least} to ${most}.` };
    return { page: await render(context, errors), status: 422 };
  }
  await setAuditRetention(context, days);
  return { redirect: path, notice: `The audit log is now kept for ${days} days.` };
}

/** What cannot be a filter is left out: a day in another form, or nothing. */
function readFilters(query: URLSearchParams): Filters {
  const given = filterNames.map((name) => [name, query.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

function toQuery({ record, actor, resource, from, to }: Filters): QueryOf<'listAuditLog'> {
  const isClient = record?.startsWith('cli_') === true;
  return {
    ...{ sort: '-created_at', per_page: perPage },
    ...(record === undefined ? {} : isClient ? { client: record } : { record }),
    ...(actor === undefined ? {} : { actor }),
    ...(resource === undefined ? {} : { action: `${resource}.*` }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function toAddress(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}
