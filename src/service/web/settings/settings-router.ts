import { SalonError } from '../../../contract/errors.ts';
import { accessByRole, type Role } from '../../../contract/roles.ts';
import { permissionDenied } from '../../domain/authorization.ts';
import { isConfirmed, listOwnAccounts } from '../../identity/sessions.ts';
import { PageError } from '../error-page.ts';
import type { Html } from '../html.ts';
import { type PageLink, renderSettings } from '../layout.ts';
import { takeNotice } from '../notices.ts';
import { type PageContext, toPageContext } from '../page-context.ts';
import type { Page, PageResponse } from '../page-response.ts';
import type { Visit } from '../visit.ts';
import { settingsPages } from './pages.ts';
import { type FormResult, type SettingsPage, settingsGroups } from './settings-page.ts';

interface Found {
  readonly page: SettingsPage;
  readonly context: PageContext;
}

/** All pages below `/settings`. */
export const settings: Page = {
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

function readSession({ session }: Visit) {
  if (session === undefined) throw new Error('The page is not private.');
  return session;
}

/** Throws for people who may not open a page. */
function findPage(visit: Visit): Found {
  const { caller } = readSession(visit);
  for (const page of settingsPages) {
    const params = matchPath(page.path, visit.path);
    if (params === undefined) continue;
    if (!isAllowed(page, caller.role)) throw permissionDenied(caller, page.action ?? 'team.read');
    return { page, context: toPageContext(visit, params) };
  }
  throw new PageError(404, { title: 'Not found', reason: `There is no page at ${visit.path}.` });
}

function isAllowed({ action }: SettingsPage, role: Role): boolean {
  return action === undefined || accessByRole[action][role] !== 'none';
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
  visit: Visit,
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

async function toResponse(visit: Visit, found: Found, result: FormResult): Promise<PageResponse> {
  return 'redirect' in result ? result : show(visit, found, result.page, result.status);
}

async function show(visit: Visit, { page, context }: Found, body: Html, status = 200): Promise<PageResponse> {
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
