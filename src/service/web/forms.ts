import { SalonError } from '../../contract/errors.ts';
import { actionRow, hiddenAbout, linkButton } from './components.ts';
import { type FormFields, hiddenField, parseFields, type ValuesOf } from './form-fields.ts';
import { attribute, type Html, type HtmlContent, html } from './html.ts';
import type { PageContext, PageVisit } from './visit.ts';
import {
  type FieldErrors,
  FormError,
  type FormHandler,
  type PageResponse,
  type WebPage,
} from './web-page.ts';

interface FormOptions {
  /** The handler in the page's `forms`. */
  readonly name: string;
  readonly body: HtmlContent;
  /** By default the page's own path. */
  readonly action?: string | undefined;
  /** A form of one button has no space around it. */
  readonly isInline?: boolean;
}

/** A form that is sent to its page. */
export function form({ csrf }: Pick<PageVisit, 'csrf'>, { name, body, action, isInline }: FormOptions): Html {
  const attributes = html`${attribute('action', action)}${attribute('class', !isInline && 'stack')}`;
  return html`<form method="post"${attributes} novalidate>
${csrf()}${hiddenField('form', name)}
${body}
</form>`;
}

interface Button {
  readonly label: string;
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'primary danger';
  readonly isSmall?: boolean;
  /** Tells equal labels apart when read out, such as the name of the row. */
  readonly about?: string;
  readonly name?: string;
  readonly value?: string;
}

/** A button that sends its form. */
export function button({ label, kind = 'secondary', isSmall, about, name, value }: Button): Html {
  const look = `button${kind === 'secondary' ? '' : ` ${kind}`}${isSmall ? ' small' : ''}`;
  return html`<button class="${look}"${attribute('name', name)}${attribute('value', value)}>${label}${hiddenAbout(about)}</button>`;
}

interface ActionButton extends Omit<Button, 'name' | 'value'> {
  readonly form: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly action?: string;
}

/** A form of one button with hidden fields, such as "End" beside a session. */
export function actionButton(
  visit: Pick<PageVisit, 'csrf'>,
  { form: name, fields = {}, action, ...look }: ActionButton,
): Html {
  const hidden = Object.entries(fields).map(([key, value]) => hiddenField(key, value));
  return form(visit, { name, action, isInline: true, body: html`${hidden}${button(look)}` });
}

interface ConfirmationStep {
  /** What happens, in a sentence or two. */
  readonly body: HtmlContent;
  readonly form: string;
  /** What the button does, such as "Revoke key". */
  readonly label: string;
  /** Where "Cancel" leads. */
  readonly cancel: string;
}

/** Asks before something that cannot be undone. */
export function confirmation(
  visit: Pick<PageVisit, 'csrf'>,
  { body, form: name, label, cancel }: ConfirmationStep,
): Html {
  const buttons = formButtons({ label, kind: 'primary danger', cancel });
  return html`<section class="card"><div>${body}</div>${form(visit, { name, body: buttons })}</section>`;
}

interface ConfirmationPage<Subject> {
  /** The handler in the page's `forms`. */
  readonly form: string;
  /** What it is about, which is read again before the act. */
  readonly read: (context: PageContext) => Promise<Subject>;
  readonly ask: (subject: Subject) => Omit<ConfirmationStep, 'form'>;
  readonly act: (context: PageContext, subject: Subject) => Promise<PageResponse>;
}

/** A page that asks before something that cannot be undone, and then does it. */
export function confirmationPage<Subject>({
  form: name,
  read,
  ask,
  act,
}: ConfirmationPage<Subject>): WebPage {
  return {
    render: async (context) => confirmation(context, { ...ask(await read(context)), form: name }),
    forms: { [name]: async (context) => act(context, await read(context)) },
  };
}

/** The button that sends a form, and "Cancel" beside it. */
export function formButtons({
  label,
  kind = 'primary',
  cancel,
}: Pick<Button, 'label' | 'kind'> & { readonly cancel: string }): Html {
  return actionRow(html`${button({ label, kind })}${linkButton({ href: cancel, label: 'Cancel' })}`);
}

/**
 * Handles a form with these fields: reads them, and then acts. What is wrong with a field, or with the values for the
 * domain, becomes a `FormError`, with which the page shows the form again.
 */
export function onForm<F extends FormFields, Visitor extends PageVisit = PageContext>(
  fields: F | ((visitor: Visitor) => F | Promise<F>),
  act: (visitor: Visitor, values: ValuesOf<F>) => ReturnType<FormHandler<Visitor>>,
): FormHandler<Visitor> {
  return async (visitor, sent) => {
    const known = typeof fields === 'function' ? await fields(visitor) : fields;
    try {
      return await act(visitor, parseFields(known, sent));
    } catch (error) {
      throw error instanceof SalonError ? toFormError(error, known) : error;
    }
  };
}

/**
 * An error of the domain as texts beside the fields of the same name: `/scopes/0` is shown at `scopes`. Errors that no
 * other input would avoid, such as a missing right, stay as they are.
 */
function toFormError(error: SalonError, fields: FormFields): Error {
  if (![400, 409, 422].includes(error.status ?? 0)) return error;
  const errors: Record<string, string> = {};
  for (const { pointer = '', code, detail } of error.violations) {
    const [, name = '', index] = pointer.split('/');
    const field = fields[name];
    const label = field?.label ?? name;
    // The second of "Redirect URIs" is "Redirect URI 2".
    const words = index === undefined ? label : `${label.replace(/s$/, '')} ${Number(index) + 1}`;
    const text = detail.replace(/^\/\S+/, words);
    errors[field === undefined ? '' : name] ??= code === 'required' ? (field?.missing ?? text) : text;
  }
  return new FormError(Object.keys(errors).length > 0 ? errors : { '': error.message });
}

/** Lists what is wrong with a form, with links to the fields, above the form. Nothing without errors. */
export function errorSummary(errors: FieldErrors | undefined): Html {
  const entries = Object.entries(errors ?? {});
  if (entries.length === 0) return html``;
  const lines = entries.map(([name, text]) =>
    name === '' ? html`<li>${text}</li>` : html`<li><a href="#${name}">${text}</a></li>`,
  );
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2><ul>${lines}</ul></div>`;
}
