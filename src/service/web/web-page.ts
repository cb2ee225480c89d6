import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Action } from '../../contract/roles.ts';
import type { Html, HtmlContent } from './html.ts';
import type { PageContext, PageVisit } from './visit.ts';

/** A route of a page. Its code is loaded with the first request. */
export type PageRoute = PublicPageRoute | PrivatePageRoute | SettingsRoute;

interface AnyPageRoute {
  /** As Fastify takes it, such as `/settings/webhooks/:id`. */
  readonly path: string;
  /** The right to open the page; `none`: every role may. */
  readonly action: Action | 'none';
  /** Not for forms. */
  readonly isGetOnly?: boolean;
}

/** A page that needs no session. */
export interface PublicPageRoute extends AnyPageRoute {
  readonly action: 'none';
  readonly isPublic: true;
  readonly load: (exchange: Exchange) => Promise<WebPage<PageVisit>>;
}

interface PrivatePlace extends AnyPageRoute {
  readonly isPublic?: false;
  /** Asks for the password or a passkey again if the last time was long ago. */
  readonly isSensitive?: boolean;
  /** Also open to a person who has to add a second factor before anything else. */
  readonly isForAddingFactor?: boolean;
}

/** A page for people who have signed in. */
interface PrivatePageRoute extends PrivatePlace {
  readonly load: (exchange: Exchange) => Promise<WebPage>;
}

/** Where a page of the account settings is: they are shown with their navigation. */
export type SettingsPlace = PrivatePlace & {
  /** The heading, and the name in the navigation. */
  readonly title: string;
} & (
    | { readonly group: 'Account' | 'Integrations' | 'Security'; readonly parent?: never }
    /** The path of the page that this one belongs to: it is not in the navigation itself. */
    | { readonly parent: string; readonly group?: never }
  );

export type SettingsRoute = SettingsPlace & Pick<PrivatePageRoute, 'load'>;

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** A page and what its forms do. */
export interface WebPage<Visitor extends PageVisit = PageContext> {
  /** `refused` is a form of the page that was sent and is shown again. */
  readonly render: (visitor: Visitor, refused?: RefusedForm) => Promise<PageResponse>;
  /** By the name of the form. Throws `FormError` for one that the page shows again; other errors become a page. */
  readonly forms?: Readonly<Record<string, FormHandler<Visitor>>>;
}

export type FormHandler<Visitor extends PageVisit = PageContext> = (
  visitor: Visitor,
  sent: URLSearchParams,
) => Promise<PageResponse>;

/** What a page shows, or where it leads. */
export type PageResponse =
  /** The content of a page of the settings. */
  | Html
  | SmallPage
  /** A path of this service, or a URL that was checked; the next page shows the notice. */
  | { readonly redirect: string; readonly notice?: string }
  | { readonly json: object };

/** A page of one card without navigation, such as the sign-in page. */
export interface SmallPage {
  readonly title: string;
  /** A sentence below the title. */
  readonly lead?: HtmlContent;
  readonly body: HtmlContent;
  /** Below the card. */
  readonly footer?: HtmlContent;
  /** Where a redirect after a form of the page may lead, besides the service itself: Chromium checks that, too. */
  readonly formTargets?: readonly string[];
}

/** What is wrong, by the name of the field. The empty name is about the whole form. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface RefusedForm {
  readonly sent: URLSearchParams;
  readonly errors: FieldErrors;
}

/** A form that was refused: its page shows it again with what is wrong. */
export class FormError extends Error {
  readonly errors: FieldErrors;
  /** After too many attempts. */
  readonly retryAfterMs: number | undefined;

  constructor(errors: FieldErrors, retryAfterMs?: number) {
    super(Object.values(errors).join(' '));
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A page that is not shown, with the reason for the person who asked for it. */
export class PageError extends Error {
  readonly status: number;
  readonly text: PageErrorText;

  constructor(status: number, text: PageErrorText) {
    super(text.reason);
    this.status = status;
    this.text = text;
  }
}

interface PageErrorText {
  readonly title: string;
  /** A sentence or two: why, and what to do. */
  readonly reason: string;
  /** By default to the settings. */
  readonly link?: { readonly href: string; readonly label: string };
  /** What the audit log calls it; undefined for what is no attempt at anything. */
  readonly refusal?: string;
}
