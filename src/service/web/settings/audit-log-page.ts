import type { AuditEntry } from '../../../contract/audit.ts';
import {
  describeAction,
  describeRecord,
  erasedWords,
  listChanges,
  toActorInWords,
  writtenInstant,
} from '../../../contract/describe-audit.ts';
import { countOf } from '../../../text/numbers.ts';
import { readAuditEntries } from '../../domain/audit-log.ts';
import { readAuditRetention, setAuditRetention } from '../../domain/audit-retention.ts';
import { auditKeptRange } from '../../domain/limits.ts';
import { assertRecentlyConfirmed } from '../../identity/sessions.ts';
import { intro, linkButton, pager, section, table, time } from '../components.ts';
import { field, renderFields } from '../form-fields.ts';
import { button, form, onForm } from '../forms.ts';
import { type Html, html } from '../html.ts';
import type { PageContext } from '../visit.ts';
import type { RefusedForm, WebPage } from '../web-page.ts';
import {
  findAuditFilters,
  auditLogPath as path,
  readAuditFilters,
  renderAuditFilters,
  toAuditAddress,
} from './audit-filters.ts';

const perPage = 50;

const { least, most } = auditKeptRange;
const retentionFields = {
  days: field(
    { type: 'integer', minimum: least, maximum: most },
    { label: 'Days', hint: `From ${least} to ${most}.` },
  ),
};

/** Who did what, newest first, with filters; owners set how long it is kept. */
export const auditLogPage: WebPage = {
  render,
  forms: {
    retention: onForm(retentionFields, async (context: PageContext, { days }) => {
      // Fewer days delete entries, which somebody who found an open browser may want.
      await assertRecentlyConfirmed(context);
      await setAuditRetention(context, days);
      return { redirect: path, notice: `The audit log is now kept for ${days} days.` };
    }),
  },
};

async function render(context: PageContext, refused?: RefusedForm): Promise<Html> {
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
${context.caller.role === 'owner' && renderRetention(context, days, refused)}`;
}

function countEntries(total: number, words: readonly string[]): string {
  return `${[countOf(total, 'entries'), ...words].join(' ')}, newest first.`;
}

function renderEntries(entries: readonly AuditEntry[]): Html {
  return table({
    caption: 'Entries of the audit log',
    columns: ['Time', 'Who', 'Action', 'Record', 'Changes'],
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
  return writtenInstant.test(text) ? time(text) : html`${text}`;
}

function renderRetention(context: PageContext, days: number, refused?: RefusedForm): Html {
  const fields = renderFields(retentionFields, { values: { days }, refused });
  const body = html`${fields}${button({ label: 'Save' })}`;
  return section({
    title: 'Retention',
    lead: 'Older entries are deleted.',
    body: form(context, { name: 'retention', body, action: path }),
  });
}
