import { type AuditEntry, auditKeptRange } from '../../../contract/audit.ts';
import {
  describeAction,
  describeRecord,
  erasedWords,
  listChanges,
  toActorInWords,
} from '../../../contract/describe-audit.ts';
import { readAuditEntries } from '../../domain/audit-log.ts';
import { readAuditRetention, setAuditRetention } from '../../domain/audit-retention.ts';
import { assertRecentlyConfirmed } from '../../identity/sessions.ts';
import { intro, linkButton, pager, section, table, time } from '../components.ts';
import { button, errorSummary, type FieldErrors, form, textField } from '../form-fields.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import {
  findAuditFilters,
  auditLogPath as path,
  readAuditFilters,
  renderAuditFilters,
  toAuditAddress,
} from './audit-filters.ts';
import type { FormResult, SettingsPage } from './settings-page.ts';

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

async function render(context: PageContext, errors?: FieldErrors): Promise<Html> {
  const filters = readAuditFilters(context.query);
  const { query, words, question } = await findAuditFilters(context, filters);
  const after = context.query.get('after') ?? undefined;
  const days = await readAuditRetention(context.database.reader, context.caller.account.id);
  const page =
    query &&
    (await readAuditEntries(context, {
      ...{ ...query, sort: '-created_at', per_page: perPage },
      ...(after && { after }),
    }));
  return html`${intro({ lead: 'Who did what, when and from where. Tampering with these entries shows.' })}
${errorSummary(errors)}
${renderAuditFilters(filters)}
${question}
${
  page &&
  section({
    title: 'Entries',
    lead: html`${countEntries(page.total, words)} Times are in <span data-time-zone>UTC</span>.`,
    actions:
      Object.keys(filters).length > 0 && linkButton({ href: path, label: 'Show all entries', isSmall: true }),
    body: html`${renderEntries(page.entries)}${pager({
      previous: after === undefined ? undefined : toAuditAddress(filters),
      next: page.next === null ? undefined : toAuditAddress({ ...filters, after: page.next }),
    })}`,
  })
}
${context.caller.role === 'owner' ? renderRetention(context, days, errors) : html``}`;
}

function countEntries(total: number, words: readonly string[]): string {
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'entry' : 'entries'}`;
  return `${[count, ...words].join(' ')}, newest first.`;
}

function renderEntries(entries: readonly AuditEntry[]): Html {
  return table({
    caption: 'Entries of the audit log',
    columns: ['Time', 'Who', 'Action', 'Record', 'Changes'].map((title) => ({ title })),
    rows: entries.map((entry) => [
      html`${time(entry.created_at)}${entry.address !== null && html`<span class="detail">from ${entry.address}</span>`}`,
      renderActor(entry),
      html`${describeAction(entry.action)}<code class="machine-text whole">${entry.action}</code>`,
      renderRecord(entry),
      renderChanges(entry),
    ]),
    empty: 'No entries match.',
  });
}

function renderActor(entry: AuditEntry): Html {
  const { name, about } = toActorInWords(entry);
  return html`${name}${about !== '' && html`<span class="detail">${about.replace('API key', 'API\u00a0key')}</span>`}`;
}

/** A name, which leads to all entries of the record, and the ID. */
function renderRecord(entry: AuditEntry): Html | false {
  const { record_id: id } = entry;
  if (id === null) return false;
  const address = toAuditAddress({ record: id });
  return html`<a href="${address}">${describeRecord(entry)}</a>${machineText(id)}`;
}

/** A code or ID: never broken, cut only where it is too long, and selected whole. */
function machineText(text: string): Html {
  return html`<code class="machine-text" title="${text}">${text}</code>`;
}

function renderChanges(entry: AuditEntry): Html | false {
  const changes = listChanges(entry).map(({ field, before, after }) => {
    const former = before !== undefined && html`${renderValue(before)} → `;
    return html`<div>${field}: ${former}${renderValue(after)}</div>`;
  });
  if (changes.length === 0 && !entry.erased) return false;
  return html`${changes}${entry.erased && html`<div class="quiet">${erasedWords}</div>`}`;
}

function renderValue(text: string): Html {
  return isInstant.test(text) ? time(text) : html`${text}`;
}

const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

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
  // Fewer days delete entries, which somebody who found an open browser may want.
  await assertRecentlyConfirmed(context);
  await setAuditRetention(context, days);
  return { redirect: path, notice: `The audit log is now kept for ${days} days.` };
}
