import type { Role } from '../../contract/roles.ts';
import type { listOwnAccounts } from '../identity/sessions.ts';
import { readAssets } from './assets.ts';
import { type Notice, notice } from './components.ts';
import { hiddenField } from './form-fields.ts';
import { actionButton, errorSummary } from './forms.ts';
import { attribute, type Html, html } from './html.ts';
import { settingsPages } from './page-list.ts';
import { mayDo, type PageContext } from './visit.ts';
import type { FieldErrors, SettingsRoute, SmallPage } from './web-page.ts';

interface SettingsFrame {
  readonly route: SettingsRoute;
  readonly context: PageContext;
  readonly accounts: Awaited<ReturnType<typeof listOwnAccounts>>;
  /** What is wrong with the form of the page: read out first. */
  readonly errors: FieldErrors | undefined;
  readonly notice: Notice | undefined;
  readonly body: Html;
}

/** Renders a page of the settings, with the navigation. */
export async function renderSettings(frame: SettingsFrame): Promise<string> {
  const { route, context, errors, body } = frame;
  const accountName = context.caller.account.name;
  const parent = settingsPages.find(({ path }) => path === route.parent);
  const parentLink = parent && html`<li><a href="${parent.path}">${parent.title}</a></li>`;
  return renderDocument({
    title: `${errors ? 'Error: ' : ''}${route.title} · ${accountName}`,
    body: html`<a class="skip-link" href="#content">Skip to content</a>
<header class="topbar">
<button type="button" class="button small open-navigation" popovertarget="navigation">Menu</button>
<a class="brand" href="/settings">${logo}<span>Salon</span></a>
<span class="account-name">${accountName}</span><span class="spring"></span>
${userMenu(frame)}
</header>
<div class="frame">
<nav class="navigation" id="navigation" aria-label="Account settings" popover>${navigation(route, context.caller.role)}</nav>
<main id="content">
<div class="page-header"><nav class="breadcrumb" aria-label="Breadcrumb"><ol><li>Account settings</li><li>${(parent ?? route).group}</li>${parentLink}</ol></nav><h1>${route.title}</h1></div>
<div class="stack">
${frame.notice && html`<div role="status">${notice(frame.notice)}</div>`}
${errorSummary(errors)}
${body}
</div>
</main>
</div>`,
  });
}

/** Links to the pages that a role may open, by group. */
function navigation(current: SettingsRoute, role: Role): Html {
  const shown = settingsPages.filter(({ group, action }) => group !== undefined && mayDo(role, action));
  const groups = [...Map.groupBy(shown, ({ group }) => group)].map(([group, pages]) => {
    const links = pages.map(({ path, title }) => {
      const isCurrent = path === (current.parent ?? current.path);
      return html`<li><a href="${path}"${attribute('aria-current', isCurrent && 'page')}>${title}</a></li>`;
    });
    return html`<h2>${group}</h2><ul>${links}</ul>`;
  });
  return html`${groups}`;
}

function userMenu({ context, accounts }: SettingsFrame): Html {
  const { user, caller } = context;
  const switches = accounts
    .filter(({ current }) => !current)
    .map(
      ({ id, name, role }) =>
        html`<li><form method="post" action="/account-switch">${context.csrf()}${hiddenField('form', 'switch')}${hiddenField('account', id)}<button>${name} <span class="quiet">${role}</span></button></form></li>`,
    );
  return html`<button type="button" class="button small plain open-user-menu" popovertarget="user-menu"><span class="avatar" aria-hidden="true">${toInitials(user.name)}</span><span class="user-name">${user.name}</span></button>
<div class="menu" id="user-menu" popover>
<div class="menu-heading"><strong>${user.name}</strong><span class="quiet">${user.email}</span><span class="quiet">${caller.account.name}</span></div>
${switches.length > 0 && html`<h2>Switch account</h2><ul>${switches}</ul>`}
<hr><a href="/settings/security">Security</a>
${actionButton(context, { form: 'sign-out', action: '/sign-out', label: 'Sign out' })}
</div>`;
}

function toInitials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return [words[0], words.slice(1).at(-1)]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

/** Renders a page of one card without navigation, such as the sign-in page. */
export async function renderSmallPage(
  frame: SmallPage & { errors?: FieldErrors | undefined; notice?: Notice | undefined },
): Promise<string> {
  const { title, lead, body, footer, errors } = frame;
  return renderDocument({
    title: `${errors ? 'Error: ' : ''}${title}`,
    body: html`<div class="small-page">
<header class="brand">${logo}Salon</header>
<main><div class="card"><div><h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
${frame.notice && html`<div role="status">${notice(frame.notice)}</div>`}
${errorSummary(errors)}${body}
</div></main>
${footer && html`<footer>${footer}</footer>`}
</div>`,
  });
}

async function renderDocument({ title, body }: { title: string; body: Html }): Promise<string> {
  const { icon, style, script } = await readAssets();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Salon</title>
<link rel="icon" href="${icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${style.path}">
<script src="${script.path}" defer></script>
</head>
<body>
${body}
</body>
</html>
`.toString();
}

const logo = html`<svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><rect width="26" height="26" rx="7" fill="currentColor"/><path d="M17.6 8.6c-1-1.2-2.6-1.9-4.4-1.9-2.5 0-4.3 1.2-4.3 3.1 0 4.3 8.6 1.9 8.6 6.3 0 2-1.9 3.2-4.5 3.2-2 0-3.8-.8-4.900-2.200" fill="none" stroke="var(--surface)" stroke-width="2.3" stroke-linecap="round"/></svg>`;
