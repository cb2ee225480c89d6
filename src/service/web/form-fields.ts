import { SalonError } from '../../contract/errors.ts';
import { actionRow, hiddenAbout, linkButton } from './components.ts';
import { attribute, type Html, type HtmlContent, html } from './html.ts';

/** What is wrong, by the name of the field. The empty name is about the whole form. */
export type FieldErrors = Readonly<Record<string, string>>;

export interface Form {
  /** The handler in the page's `forms`. */
  readonly name: string;
  /** The hidden fields that prove that the form comes from this page: `context.csrf`. */
  readonly csrf: Html;
  readonly body: HtmlContent;
  /** By default the page's own path. */
  readonly action?: string;
  /** A form of one button has no space around it. */
  readonly isInline?: boolean;
  /** For scripts. */
  readonly id?: string;
}

/** A form that is sent to its page. */
export function form({ name, csrf, body, action, isInline, id }: Form): Html {
  const to = attribute('action', action);
  return html`<form method="post"${to}${attribute('id', id)}${attribute('class', !isInline && 'stack')} novalidate>
${csrf}<input type="hidden" name="form" value="${name}">
${body}
</form>`;
}

export interface Button {
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

export interface ActionButton extends Omit<Button, 'name' | 'value'> {
  readonly form: string;
  readonly csrf: Html;
  readonly fields?: Readonly<Record<string, string>>;
  readonly action?: string;
}

/** A form of one button with hidden fields, such as "End" beside a session. */
export function actionButton({ form: name, csrf, fields = {}, action, ...look }: ActionButton): Html {
  const hidden = Object.entries(fields).map(([key, value]) => hiddenField(key, value));
  const body = html`${hidden}${button(look)}`;
  return form({ name, csrf, isInline: true, body, ...(action === undefined ? {} : { action }) });
}

export interface ConfirmationStep {
  /** What happens, in a sentence or two. */
  readonly body: HtmlContent;
  readonly form: string;
  readonly csrf: Html;
  readonly fields?: Readonly<Record<string, string>>;
  /** What the button does, such as "Revoke key". */
  readonly label: string;
  /** Where "Cancel" leads. */
  readonly cancel: string;
  readonly action?: string;
}

/** Asks before something that cannot be undone. */
export function confirmation({
  body,
  form: name,
  csrf,
  fields = {},
  label,
  cancel,
  action,
}: ConfirmationStep): Html {
  const hidden = Object.entries(fields).map(([key, value]) => hiddenField(key, value));
  const buttons = html`${button({ label, kind: 'primary danger' })}${linkButton({ href: cancel, label: 'Cancel' })}`;
  return html`<section class="card"><div>${body}</div>${form({ name, csrf, ...(action === undefined ? {} : { action }), body: html`${hidden}${actionRow(buttons)}` })}</section>`;
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

interface Field {
  readonly label: string;
  readonly name: string;
  readonly hint?: HtmlContent;
  /** Of all fields; this one shows its own. */
  readonly errors?: FieldErrors | undefined;
  /** `conditional`: needed with some answers to other fields, so neither required nor marked as optional. */
  readonly isOptional?: boolean | 'conditional';
}

export interface TextField extends Field {
  readonly value?: string | null | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date' | 'search';
  /** The token of the HTML standard, such as `username`. */
  readonly autocomplete?: string;
  /** `numeric` opens the keyboard of digits. */
  readonly inputMode?: 'numeric' | 'email' | 'url';
  readonly hasFocus?: boolean;
  readonly maxLength?: number;
  readonly min?: string;
  readonly max?: string;
}

export function textField(field: TextField): Html {
  const { name, value, type = 'text', autocomplete, inputMode, hasFocus, maxLength, min, max } = field;
  const hasSpelling = !['email', 'password', 'url'].includes(type);
  const input = html`<input id="${name}" name="${name}" type="${type}"${attribute('value', value)}${attribute('autocomplete', autocomplete ?? 'off')}${attribute('inputmode', inputMode)}${attribute('maxlength', maxLength)}${attribute('min', min)}${attribute('max', max)}${attribute('autofocus', hasFocus)}${attribute('spellcheck', hasSpelling ? undefined : 'false')}${attribute('autocapitalize', hasSpelling ? undefined : 'none')}${fieldState(field)}>`;
  return wrapField(field, type === 'password' ? withShowButton(name, input) : input);
}

/** Scripts show the button, which shows the password. */
function withShowButton(name: string, input: Html): Html {
  return html`<div class="secret">${input}<button type="button" class="button" data-show="${name}" aria-pressed="false" hidden>Show<span class="hidden-text"> password</span></button></div>`;
}

export function textArea(field: Field & { readonly value?: string | null | undefined }): Html {
  const { name, value } = field;
  return wrapField(
    field,
    html`<textarea id="${name}" name="${name}"${fieldState(field)}>
${value}</textarea>`,
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export function selectField(
  field: Field & { options: readonly Option[]; value?: string | null | undefined },
): Html {
  const { name, options, value: chosen } = field;
  const listed = options.map(
    ({ value, label }) =>
      html`<option value="${value}"${attribute('selected', value === chosen)}>${label}</option>`,
  );
  return wrapField(field, html`<select id="${name}" name="${name}"${fieldState(field)}>${listed}</select>`);
}

interface Choice extends Option {
  readonly hint?: HtmlContent;
  readonly isChosen?: boolean;
}

export interface Choices extends Field {
  readonly choices: readonly Choice[];
  /** Several may be chosen; each is sent under the same name. */
  readonly isMultiple?: boolean;
  readonly isTwoColumns?: boolean;
}

/** Checkboxes, or radio buttons if only one may be chosen. */
export function choiceField(field: Choices): Html {
  const { label, name, choices, isMultiple, isTwoColumns, hint, errors, isOptional } = field;
  const listed = choices.map(({ value, label: text, hint: about, isChosen }, index) => {
    const id = index === 0 ? name : `${name}-${index}`;
    return html`<label class="choice"><input type="${isMultiple ? 'checkbox' : 'radio'}" id="${id}" name="${name}" value="${value}"${attribute('checked', isChosen)}><span>${text}${about && html`<span>${about}</span>`}</span></label>`;
  });
  return html`<fieldset class="field"${describedBy(field)}><legend>${label}${isOptional && optional}</legend>
${fieldTexts({ name, hint, errors })}<div class="choices${isTwoColumns && ' two-columns'}">${listed}</div></fieldset>`;
}

/** One checkbox, such as "Remember me". */
export function checkbox({
  label,
  name,
  hint,
  isChosen,
}: {
  label: string;
  name: string;
  hint?: string;
  isChosen?: boolean;
}): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="on"${attribute('checked', isChosen)}><span>${label}${hint && html`<span>${hint}</span>`}</span></label></div>`;
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

/**
 * What is wrong, as texts beside the fields of the same name: `/scopes/0` is shown at `scopes`. Throws errors again that
 * no other input would avoid, such as a missing right.
 */
export function toFieldErrors(error: unknown, fields: readonly string[]): FieldErrors {
  if (!(error instanceof SalonError) || ![400, 409, 422].includes(error.status ?? 0)) throw error;
  const errors: Record<string, string> = {};
  for (const { pointer = '', detail } of error.violations) {
    const [, name = '', index] = pointer.split('/');
    errors[fields.includes(name) ? name : ''] ??= detail.replace(/^\/\S+/, toWords(name, index));
  }
  return Object.keys(errors).length > 0 ? errors : { '': error.message };
}

/** `redirect_uris`, `0` is "Redirect URI 1". */
function toWords(name: string, index?: string): string {
  const plural = name.replaceAll('_', ' ').replace(/\buri(?=s?$)/, 'URI');
  const words = index === undefined ? plural : `${plural.replace(/s$/, '')} ${Number(index) + 1}`;
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

const optional = html`<span class="optional"> (optional)</span>`;

function wrapField({ label, name, hint, errors, isOptional }: Field, input: Html): Html {
  return html`<div class="field"><label for="${name}">${label}${isOptional === true && optional}</label>
${fieldTexts({ name, hint, errors })}${input}</div>`;
}

function fieldTexts({ name, hint, errors }: Pick<Field, 'name' | 'hint' | 'errors'>): Html {
  const error = errors?.[name];
  return html`${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${error && html`<p class="field-error" id="${name}-error"><span class="hidden-text">Error: </span>${error}</p>`}`;
}

function fieldState(field: Field): Html {
  const isInvalid = field.errors?.[field.name] !== undefined;
  return html`${attribute('required', !field.isOptional)}${attribute('aria-invalid', isInvalid && 'true')}${describedBy(field)}`;
}

function describedBy({ name, hint, errors }: Pick<Field, 'name' | 'hint' | 'errors'>): Html {
  const ids = [hint && `${name}-hint`, errors?.[name] !== undefined && `${name}-error`].filter(Boolean);
  return attribute('aria-describedby', ids.length > 0 && ids.join(' '));
}
