import type { Delivery } from '../../../../contract/delivery.ts';
import type { EventPattern } from '../../../../contract/events.ts';
import { maxWebhooks, type Webhook } from '../../../../contract/webhook.ts';
import { listRecentDeliveries } from '../../../domain/deliveries.ts';
import { listWebhooks } from '../../../domain/webhooks.ts';
import { badge, intro, linkButton, section, table, time } from '../../components.ts';
import { type Html, html } from '../../html.ts';
import { mayDo, type PageContext } from '../../visit.ts';
import type { WebPage } from '../../web-page.ts';

export const webhooksPath = '/settings/webhooks';

export const patternFamilies: readonly (readonly [EventPattern, string])[] = [
  ['*', 'Everything'],
  ['booking.*', 'All booking events'],
  ['payment.*', 'All payment events'],
  ['client.*', 'All client events'],
];

/** What a pattern selects, in words. */
export function describePattern(pattern: EventPattern): string {
  return patternFamilies.find(([known]) => known === pattern)?.[1] ?? pattern;
}

/** Settings → Webhooks: where events are sent, and what went wrong last. */
export const webhooksPage: WebPage = {
  async render(context) {
    const { dataJson } = await listWebhooks(context, { per_page: maxWebhooks });
    const webhooks: Webhook[] = JSON.parse(dataJson.toString());
    const rows = await Promise.all(webhooks.map((webhook) => renderRow(context, webhook)));
    const columns = ['URL', 'Events', 'Last failure'];
    const empty = 'No webhooks yet.';
    return html`${intro({
      lead: 'The salon sends bookings, payments and client updates to these addresses as they happen.',
      actions:
        mayChange(context) &&
        linkButton({ href: `${webhooksPath}/new`, label: 'Add webhook', isPrimary: true }),
    })}
${section({ title: 'Webhooks', body: table({ caption: 'Webhooks', columns, actions: 'Manage', rows, empty }) })}`;
  },
};

export function mayChange({ caller }: PageContext): boolean {
  return mayDo(caller.role, 'webhooks.write');
}

async function renderRow(context: PageContext, webhook: Webhook): Promise<readonly (Html | string)[]> {
  const [failed] = await listRecentDeliveries(context, webhook.id, { limit: 1, isFailed: true });
  const { id, url, description, events } = webhook;
  return [
    html`<strong>${url}</strong> ${renderStatus(webhook)}${description !== null && html`<span class="detail">${description}</span>`}`,
    events.map(describePattern).join(', '),
    renderLastFailure(failed),
    linkButton({ href: `${webhooksPath}/${id}`, label: 'Open', isSmall: true, about: url }),
  ];
}

function renderLastFailure(failed: Delivery | undefined): Html {
  const attempt = failed?.attempts.findLast(({ error }) => error !== null);
  if (attempt === undefined) return html`<span class="quiet">None</span>`;
  return html`${time(attempt.at)}<span class="detail">${attempt.error}</span>`;
}

const reasons = {
  gone: 'Disabled: the receiver returned 410',
  exhausted: 'Disabled: no attempts left',
} as const;

export function renderStatus({ active, disabled_reason: reason }: Webhook): Html {
  if (active) return badge('Active', 'good');
  return reason === null ? badge('Disabled') : badge(reasons[reason], 'bad');
}
