import { assets } from './assets.ts';
import { type Notice, notice } from './components.ts';
import { hiddenField } from './form-fields.ts';
import { actionButton, errorSummary } from './forms.ts';
import { attribute, type Html, type HtmlContent, html } from './html.ts';
import type { PageVisit } from './visit.ts';
import type { FieldErrors, SmallPage } from './web-page.ts';

/** A link of the navigation or the breadcrumb. */
export interface PageLink {
  readonly href: string;
  readonly title: string;
  readonly isCurrent?: boolean;
}

interface SettingsFrame {
  readonly title: string;
  /** Where the page is, without the page itself. */
  readonly breadcrumb: readonly (PageLink | string)[];
  readonly navigation: readonly { readonly title: string; readonly links: readonly PageLink[] }[];
  readonly user: { readonly name: string; readonly email: string };
  readonly accountName: string;
  /** The other accounts of the person. */
  readonly otherAccounts: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  readonly visit: Pick<PageVisit, 'csrf'>;
  /** What is wrong with the form of the page: read out first. */
  readonly errors?: FieldErrors | undefined;
  readonly notice?: Notice | undefined;
  readonly body: HtmlContent;
}

/** Renders a page of the settings, with the navigation. */
export function renderSettings(frame: SettingsFrame): string {
  const { title, accountName, breadcrumb, navigation, errors, body } = frame;
  const groups = navigation.map(
    (group) =>
      html`<h2>${group.title}</h2><ul>${group.links.map(({ href, title: text, isCurrent }) => html`<li><a href="${href}"${attribute('aria-current', isCurrent && 'page')}>${text}</a></li>`)}</ul>`,
  );
  const trail = breadcrumb.map((place) =>
    typeof place === 'string'
      ? html`<li>${place}</li>`
      : html`<li><a href="${place.href}">${place.title}</a></li>`,
  );
  return renderDocument({
    title: `${errors ? 'Error: ' : ''}${title} · ${accountName}`,
    body: html`<a class="skip-link" href="#content">Skip to content</a>
<header class="topbar">
<button type="button" class="button small open-navigation" popovertarget="navigation">Menu</button>
<a class="brand" href="/settings">${logo}<span>Salon</span></a>
<span class="account-name">${accountName}</span><span class="spring"></span>
${userMenu(frame)}
</header>
<div class="frame">
<nav class="navigation" id="navigation" aria-label="Account settings" popover>${groups}</nav>
<main id="content">
<div class="page-header"><nav class="breadcrumb" aria-label="Breadcrumb"><ol>${trail}</ol></nav><h1>${title}</h1></div>
<div class="stack">
${frame.notice && html`<div role="status">${notice(frame.notice)}</div>`}
${errorSummary(errors)}
${body}
</div>
</main>
</div>`,
  });
}

function userMenu({ user, accountName, otherAccounts, visit }: SettingsFrame): Html {
  const switches = otherAccounts.map(
    ({ id, name, role }) =>
      html`<li><form method="post" action="/account-switch">${visit.csrf()}${hiddenField('form', 'switch')}${hiddenField('account', id)}<button>${name} <span class="quiet">${role}</span></button></form></li>`,
  );
  return html`<button type="button" class="button small plain open-user-menu" popovertarget="user-menu"><span class="avatar" aria-hidden="true">${toInitials(user.name)}</span><span class="user-name">${user.name}</span></button>
<div class="menu" id="user-menu" popover>
<div class="menu-heading"><strong>${user.name}</strong><span class="quiet">${user.email}</span><span class="quiet">${accountName}</span></div>
${otherAccounts.length > 0 && html`<h2>Switch account</h2><ul>${switches}</ul>`}
<hr><a href="/settings/security">Security</a>
${actionButton(visit, { form: 'sign-out', action: '/sign-out', label: 'Sign out' })}
</div>`;
}

function toInitials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return [words[0], words.slice(1).at(-1)]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

interface SmallFrame extends SmallPage {
  /** What is wrong with the form of the page: read out first. */
  readonly errors?: FieldErrors | undefined;
  readonly notice?: Notice | undefined;
}

/** Renders a page of one card without navigation, such as the sign-in page. */
export function renderSmallPage(frame: SmallFrame): string {
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

function renderDocument({ title, body }: { title: string; body: Html }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Salon</title>
<link rel="icon" href="${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}">
<script src="${assets.script.path}" defer></script>
</head>
<body>
${body}
</body>
</html>
`.toString();
}

const logo = html`<svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true"><rect width="26" height="26" rx="7" fill="currentColor"/><path d="M17.6 8.6c-1-1.2-2.6-1.9-4.4-1.9-2.5 0-4.3 1.2-4.3 3.1 0 4.3 8.6 1.9 8.6 6.3 0 2-1.9 3.2-4.5 3.2-2 0-3.8-.8-4.900-2.200" fill="none" stroke="var(--surface)" stroke-width="2.3" stroke-linecap="round"/></svg>`;
