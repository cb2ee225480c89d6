import type { Delivery } from '../../../../contract/delivery.ts';
import { accessByRole } from '../../../../contract/roles.ts';
import { maxWebhooks, type Webhook } from '../../../../contract/webhook.ts';
import { listRecentDeliveries } from '../../../domain/deliveries.ts';
import { listWebhooks } from '../../../domain/webhooks.ts';
import { badge, intro, linkButton, section, table, time } from '../../components.ts';
import { type Html, html } from '../../html.ts';
import type { PageContext } from '../../page-context.ts';
import type { SettingsPage } from '../settings-page.ts';
import { describePattern, webhooksPath } from './webhook-form.ts';

/** Settings → Webhooks: where events are sent, and what went wrong last. */
export const webhooksPage: SettingsPage = {
  path: webhooksPath,
  title: 'Webhooks',
  group: 'Integrations',
  action: 'webhooks.read',

  async render(context) {
    const { dataJson } = await listWebhooks(context, { per_page: maxWebhooks });
    const webhooks: Webhook[] = JSON.parse(dataJson.toString());
    const rows = await Promise.all(webhooks.map((webhook) => renderRow(context, webhook)));
    const columns = [
      { title: 'URL' },
      { title: 'Events' },
      { title: 'Last failure' },
      { title: 'Manage', isActions: true },
    ];
    const empty = 'No webhooks yet.';
    return html`${intro({
      lead: 'The salon sends bookings, payments and client updates to these addresses as they happen.',
      actions:
        mayChange(context) &&
        linkButton({ href: `${webhooksPath}/new`, label: 'Add webhook', isPrimary: true }),
    })}
${section({ title: 'Webhooks', body: table({ caption: 'Webhooks', columns, rows, empty }) })}`;
  },
};

export function mayChange({ caller }: PageContext): boolean {
  return accessByRole['webhooks.write'][caller.role] !== 'none';
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
