import type { Action } from '../../../contract/roles.ts';
import type { Html } from '../html.ts';
import type { PageContext } from '../page-context.ts';

export const settingsGroups = ['Account', 'Integrations', 'Security'] as const;

/** What a form leads to: another page, with a message there, or a page at once, such as the form with its errors. */
export type FormResult =
  | { readonly redirect: string; readonly notice?: string }
  | { readonly page: Html; readonly status?: number };

/** A page of the account settings: the address, the place in the navigation, and what its forms do. */
export interface SettingsPage {
  /** Such as `/settings/webhooks` or `/settings/webhooks/:id`. */
  readonly path: string;
  /** The heading, and the name in the navigation. */
  readonly title: string;
  readonly group: (typeof settingsGroups)[number];
  /** The path of the page that this one belongs to. It is not in the navigation itself. */
  readonly parent?: string;
  /** The right to open the page; without it, the page is not in the navigation. `none`: everybody may, whatever the role. */
  readonly action: Action | 'none';
  /** Asks for the password or a passkey again if the last time was long ago. */
  readonly isSensitive?: boolean;
  render(context: PageContext): Promise<Html>;
  /** By the name of the form. Errors of the domain that a form does not show itself become a page. */
  readonly forms?: Readonly<
    Record<string, (context: PageContext, form: URLSearchParams) => Promise<FormResult>>
  >;
}
