import { SalonError } from '../../../contract/errors.ts';
import { accessByRole, type Role } from '../../../contract/roles.ts';
import { permissionDenied } from '../../domain/authorization.ts';
import { isConfirmed, listOwnAccounts } from '../../identity/sessions.ts';
import { PageError } from '../error-page.ts';
import type { Html } from '../html.ts';
import { type PageLink, renderSettings } from '../layout.ts';
import { takeNotice } from '../notices.ts';
import { type PageContext, toPageContext } from '../page-context.ts';
import type { PageResponse, WebPage } from '../page-response.ts';
import type { PageVisit } from '../visit.ts';
import { accountPage } from './account-page.ts';
import { apiKeysPage } from './api-keys-page.ts';
import { appsPage, disconnectAppPage } from './apps/apps-page.ts';
import { newOauthClientPage } from './apps/new-oauth-client-page.ts';
import { deleteOauthClientPage, oauthClientsPage, rotateOauthClientPage } from './apps/oauth-clients-page.ts';
import { auditLogPage } from './audit-log-page.ts';
import { revokeApiKeyPage, rollApiKeyPage } from './change-api-key-pages.ts';
import { newApiKeyPage } from './new-api-key-page.ts';
import { authenticatorPage, recoveryCodesPage } from './security/authenticator-pages.ts';
import { newPasskeyPage, passkeyPage } from './security/passkey-pages.ts';
import { passwordPage } from './security/password-page.ts';
import { securityPage } from './security/security-page.ts';
import { type FormResult, type SettingsPage, settingsGroups } from './settings-page.ts';
import { invitePage } from './team/invite-page.ts';
import { deactivationPage, memberPage } from './team/member-pages.ts';
import { teamPage } from './team/team-page.ts';
import {
  deleteWebhookPage,
  editWebhookPage,
  newWebhookPage,
  rotateWebhookPage,
} from './webhooks/change-webhook-pages.ts';
import { webhookPage } from './webhooks/webhook-page.ts';
import { webhooksPage } from './webhooks/webhooks-page.ts';

interface Found {
  readonly page: SettingsPage;
  readonly context: PageContext;
}

/** All pages below `/settings`. */
export const settings: WebPage = {
  isPrivate: true,

  async render(visit) {
    if (visit.path.replace(/\/$/, '') === '/settings') {
      const { role } = readSession(visit).caller;
      return { redirect: settingsPages.find((page) => isAllowed(page, role))?.path ?? '/settings/security' };
    }
    const found = findPage(visit);
    return inConfirmedSession(visit, found, async () =>
      show(visit, found, await found.page.render(found.context)),
    );
  },

  async accept(visit, form) {
    const found = findPage(visit);
    const name = form.get('form') ?? '';
    const { forms = {} } = found.page;
    const handle = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (handle === undefined) {
      const reason = 'This form is out of date. Open the page again.';
      throw new PageError(400, {
        title: 'Unknown form',
        reason,
        link: { href: visit.path, label: 'Open the page' },
      });
    }
    return inConfirmedSession(visit, found, async () =>
      toResponse(visit, found, await handle(found.context, form)),
    );
  },
};

function readSession({ session }: PageVisit) {
  if (session === undefined) throw new Error('The page is not private.');
  return session;
}

/** Throws for people who may not open a page. */
function findPage(visit: PageVisit): Found {
  const { caller } = readSession(visit);
  for (const page of settingsPages) {
    const params = matchPath(page.path, visit.path);
    if (params === undefined) continue;
    if (page.action !== 'none' && !isAllowed(page, caller.role)) throw permissionDenied(caller, page.action);
    return { page, context: toPageContext(visit, params) };
  }
  throw new PageError(404, { title: 'Not found', reason: `There is no page at ${visit.path}.` });
}

function isAllowed({ action }: SettingsPage, role: Role): boolean {
  return action === 'none' || accessByRole[action][role] !== 'none';
}

/** The named parts of a path; undefined for another path. */
function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const names = pattern.split('/');
  const parts = path.replace(/\/$/, '').split('/');
  if (names.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = part;
    else if (name !== part) return undefined;
  }
  return params;
}

/** Asks for the password or a passkey first if the page, or what a form does, needs a recent one. */
async function inConfirmedSession(
  visit: PageVisit,
  { page }: Found,
  act: () => Promise<PageResponse>,
): Promise<PageResponse> {
  const confirm = { redirect: `/sign-in/confirm?${new URLSearchParams({ return_to: visit.path })}` };
  const { authenticatedAt } = readSession(visit).session;
  if (page.isSensitive && !isConfirmed(authenticatedAt, visit.context.environment.now())) return confirm;
  try {
    return await act();
  } catch (error) {
    if (error instanceof SalonError && error.code === 'confirmation_required') return confirm;
    throw error;
  }
}

async function toResponse(visit: PageVisit, found: Found, result: FormResult): Promise<PageResponse> {
  return 'redirect' in result ? result : show(visit, found, result.page, result.status);
}

async function show(
  visit: PageVisit,
  { page, context }: Found,
  body: Html,
  status = 200,
): Promise<PageResponse> {
  const { caller, user, csrf } = context;
  const accounts = await listOwnAccounts(context);
  return {
    status,
    html: renderSettings({
      title: page.title,
      isInvalid: status === 422,
      breadcrumb: toBreadcrumb(page),
      navigation: toNavigation(page, caller.role),
      user,
      accountName: caller.account.name,
      otherAccounts: accounts.filter(({ current }) => !current),
      csrf,
      notice: takeNotice(visit),
      body,
    }),
  };
}

function toBreadcrumb({ group, parent }: SettingsPage): (PageLink | string)[] {
  const above = settingsPages.find(({ path }) => path === parent);
  return [
    'Account settings',
    group,
    ...(above === undefined ? [] : [{ href: above.path, title: above.title }]),
  ];
}

function toNavigation(current: SettingsPage, role: Role) {
  const listed = settingsPages.filter((page) => page.parent === undefined && isAllowed(page, role));
  return settingsGroups
    .map((group) => ({
      title: group,
      links: listed
        .filter((page) => page.group === group)
        .map(({ path, title }) => ({
          href: path,
          title,
          isCurrent: path === (current.parent ?? current.path),
        })),
    }))
    .filter(({ links }) => links.length > 0);
}

/** All pages of the settings; the navigation shows them in this order. The first that matches a path is shown. */
export const settingsPages: readonly SettingsPage[] = [
  ...[accountPage, teamPage, invitePage, memberPage, deactivationPage],
  ...[apiKeysPage, newApiKeyPage, rollApiKeyPage, revokeApiKeyPage],
  ...[appsPage, disconnectAppPage],
  ...[oauthClientsPage, newOauthClientPage, rotateOauthClientPage, deleteOauthClientPage],
  ...[webhooksPage, newWebhookPage, webhookPage, editWebhookPage, rotateWebhookPage, deleteWebhookPage],
  ...[securityPage, passwordPage, newPasskeyPage, passkeyPage, authenticatorPage, recoveryCodesPage],
  auditLogPage,
];
