import { attribute, type Html, type HtmlContent, html } from './html.ts';
import { FormError, type RefusedForm } from './web-page.ts';

/** A field of a form: how it is shown, and what is read from it. */
export interface FormField<Value> {
  /** The value of the texts that were sent under its name, or what is wrong with them. */
  read(sent: readonly string[]): { readonly value: Value } | { readonly problem: string };
  /** The texts that would be sent for a value. */
  write(value: Value): readonly string[];
  render(state: FieldState): Html;
  /** Whether it keeps what the page gave it when the form is shown again. */
  readonly isHidden?: boolean;
}

interface FieldState {
  readonly name: string;
  readonly sent: readonly string[];
  readonly problem: string | undefined;
  /** Whether the form is shown for the first time. */
  readonly isFirst: boolean;
}

/** The fields of a form by name, as they are shown. */
export type FormFields = Readonly<Record<string, FormField<unknown>>>;

export type ValuesOf<F extends FormFields> = {
  readonly [Name in keyof F]: F[Name] extends FormField<infer Value> ? Value : never;
};

/** Reads a form that was sent. Throws `FormError` with what is wrong with its fields. */
export function parseFields<F extends FormFields>(fields: F, sent: URLSearchParams): ValuesOf<F> {
  const values: Record<string, unknown> = {};
  const errors: Record<string, string> = {};
  for (const [name, field] of Object.entries(fields)) {
    const result = field.read(sent.getAll(name));
    if ('value' in result) values[name] = result.value;
    else errors[name] = result.problem;
  }
  if (Object.keys(errors).length > 0) throw new FormError(errors);
  return values as ValuesOf<F>;
}

/** Shows fields with `values` at first, and then with what was sent and what is wrong with it. */
export function renderFields<F extends FormFields>(
  fields: F,
  { values = {}, refused }: { values?: Partial<ValuesOf<F>>; refused?: RefusedForm | undefined } = {},
): Html {
  const shown = Object.entries(fields).map(([name, field]) => {
    const value = values[name];
    const given = value === undefined ? [] : field.write(value);
    const sent = refused === undefined || field.isHidden ? given : refused.sent.getAll(name);
    return html`${field.render({ name, sent, problem: refused?.errors[name], isFirst: refused === undefined })}\n`;
  });
  return html`${shown}`;
}

interface FieldOptions {
  readonly label: string;
  readonly hint?: HtmlContent;
  /** `conditional`: needed with some answers to other fields, so neither required nor marked as optional. */
  readonly isOptional?: boolean | 'conditional';
}

interface TextOptions extends FieldOptions {
  readonly type?: 'text' | 'email' | 'url' | 'date';
  /** The token of the HTML standard, such as `username`. */
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'url';
  readonly hasFocus?: boolean;
  readonly maxLength?: number;
  /** What to say when nothing was typed; without it, an empty text is allowed. */
  readonly missing?: string;
}

/** A line of text, without the spaces around it. */
export function textField(options: TextOptions): FormField<string> {
  const { missing, maxLength = Number.POSITIVE_INFINITY } = options;
  return {
    read([text = '']) {
      const value = text.trim();
      if (value === '' && missing !== undefined) return { problem: missing };
      if (value.length <= maxLength) return { value };
      return { problem: `Use at most ${maxLength.toLocaleString('en')} characters.` };
    },
    write: (value) => [value],
    render: (state) => wrapField(options, state, renderInput(options, state)),
  };
}

interface Input extends Omit<TextOptions, 'type'> {
  readonly type?: TextOptions['type'] | 'password' | 'number';
  readonly min?: number;
  readonly max?: number;
}

function renderInput(input: Input, state: FieldState): Html {
  const { type = 'text', autocomplete = 'off', inputMode, hasFocus, maxLength, min, max } = input;
  const { name, sent, isFirst } = state;
  const hasSpelling = !['email', 'password', 'url'].includes(type);
  return html`<input id="${name}" name="${name}" type="${type}"${attribute('value', sent[0])}${attribute('autocomplete', autocomplete)}${attribute('inputmode', inputMode)}${attribute('maxlength', maxLength)}${attribute('min', min)}${attribute('max', max)}${attribute('autofocus', hasFocus && isFirst)}${attribute('spellcheck', hasSpelling ? undefined : 'false')}${attribute('autocapitalize', hasSpelling ? undefined : 'none')}${stateAttributes(input, state)}>`;
}

/** A password: not trimmed, and never sent back. With scripts, a button reveals what was typed. */
export function passwordField(
  options: Pick<TextOptions, 'label' | 'hint' | 'autocomplete' | 'missing' | 'hasFocus'>,
): FormField<string> {
  return {
    read: ([value = '']) =>
      value === '' && options.missing !== undefined ? { problem: options.missing } : { value },
    write: () => [],
    render(state) {
      const input = renderInput({ ...options, type: 'password' }, { ...state, sent: [] });
      const shown = html`<div class="secret">${input}<button type="button" class="button" data-show="${state.name}" aria-pressed="false" hidden>Show<span class="hidden-text"> password</span></button></div>`;
      return wrapField(options, state, shown);
    },
  };
}

/** A whole number in a range. */
export function numberField(options: FieldOptions & { min: number; max: number }): FormField<number> {
  const { min, max } = options;
  return {
    read([text = '']) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      const isInRange = value >= min && value <= max;
      return isInRange ? { value } : { problem: `Enter a whole number from ${min} to ${max}.` };
    },
    write: (value) => [String(value)],
    render: (state) =>
      wrapField(options, state, renderInput({ ...options, type: 'number', inputMode: 'numeric' }, state)),
  };
}

/** A list, with an item in each line. */
export function linesField(options: FieldOptions & { separator: RegExp }): FormField<string[]> {
  return {
    read: ([text = '']) => ({ value: text.split(options.separator).filter((line) => line !== '') }),
    write: (value) => [value.join('\n')],
    render: (state) =>
      wrapField(
        options,
        state,
        html`<textarea id="${state.name}" name="${state.name}"${stateAttributes(options, state)}>
${state.sent[0]}</textarea>`,
      ),
  };
}

interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: HtmlContent;
}

interface ChoiceOptions<Value extends string> extends FieldOptions {
  readonly choices: readonly Choice<Value>[];
  /** What may be chosen although it is not offered: the domain says why not. */
  readonly accepted?: readonly Value[];
  /** What to say when nothing was chosen that may be. */
  readonly missing: string;
}

function readChoice<Value extends string>({ choices, accepted, missing }: ChoiceOptions<Value>) {
  const known = [...choices.map(({ value }) => value), ...(accepted ?? [])];
  return ([text = '']: readonly string[]) => {
    const value = known.find((one) => one === text);
    return value === undefined ? { problem: missing } : { value };
  };
}

/** A list that folds out. */
export function selectField<Value extends string>(options: ChoiceOptions<Value>): FormField<Value> {
  return {
    read: readChoice(options),
    write: (value) => [value],
    render(state) {
      const listed = options.choices.map(
        ({ value, label }) =>
          html`<option value="${value}"${attribute('selected', value === state.sent[0])}>${label}</option>`,
      );
      const { name } = state;
      const select = html`<select id="${name}" name="${name}"${stateAttributes(options, state)}>${listed}</select>`;
      return wrapField(options, state, select);
    },
  };
}

/** Radio buttons. */
export function radioField<Value extends string>(options: ChoiceOptions<Value>): FormField<Value> {
  return {
    read: readChoice(options),
    write: (value) => [value],
    render: (state) => renderChoices({ ...options, type: 'radio' }, state),
  };
}

interface CheckboxesOptions<Value extends string> extends FieldOptions {
  readonly choices: readonly Choice<Value>[];
  /** Whether a value that is not offered may be chosen; it is offered where it is. */
  readonly isAccepted?: (text: string) => text is Value;
  /** What to say when nothing was chosen; without it, nothing is needed. */
  readonly missing?: string;
  readonly isTwoColumns?: boolean;
}

/** Checkboxes, of which several may be chosen; what is unknown is left out. */
export function checkboxesField<Value extends string>(options: CheckboxesOptions<Value>): FormField<Value[]> {
  const { choices, missing, isAccepted = (_text): _text is Value => false } = options;
  const isOffered = (text: string): text is Value => choices.some(({ value }) => value === text);
  const select = (sent: readonly string[]) => sent.filter((text) => isOffered(text) || isAccepted(text));
  return {
    read(sent) {
      const value = select(sent);
      return value.length === 0 && missing !== undefined ? { problem: missing } : { value };
    },
    write: (value) => value,
    render(state) {
      const others = select(state.sent).filter((value) => !isOffered(value));
      const added = others.map((value) => ({ value, label: value }));
      return renderChoices({ ...options, type: 'checkbox', choices: [...choices, ...added] }, state);
    },
  };
}

interface ChoiceGroup extends FieldOptions {
  readonly type: 'radio' | 'checkbox';
  readonly choices: readonly Choice[];
  readonly isTwoColumns?: boolean;
}

function renderChoices(group: ChoiceGroup, state: FieldState): Html {
  const { name, sent } = state;
  const listed = group.choices.map(({ value, label, hint }, index) => {
    const id = index === 0 ? name : `${name}-${index}`;
    return html`<label class="choice"><input type="${group.type}" id="${id}" name="${name}" value="${value}"${attribute('checked', sent.includes(value))}><span>${label}${hint && html`<span>${hint}</span>`}</span></label>`;
  });
  return html`<fieldset class="field"${describedBy(group, state)}><legend>${group.label}${group.isOptional && optional}</legend>
${fieldTexts(group, state)}<div class="choices${group.isTwoColumns && ' two-columns'}">${listed}</div></fieldset>`;
}

/** One checkbox, such as "Send events". */
export function checkboxField({ label, hint }: Pick<FieldOptions, 'label' | 'hint'>): FormField<boolean> {
  return {
    read: (sent) => ({ value: sent.includes('on') }),
    write: (value) => (value ? ['on'] : []),
    render: ({ name, sent }) =>
      html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="on"${attribute('checked', sent.includes('on'))}><span>${label}${hint && html`<span>${hint}</span>`}</span></label></div>`,
  };
}

/** A value that the page gives to its form. */
export const hidden: FormField<string> = {
  isHidden: true,
  read: ([value = '']) => ({ value }),
  write: (value) => [value],
  render: ({ name, sent }) => hiddenField(name, sent[0] ?? ''),
};

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

const optional = html`<span class="optional"> (optional)</span>`;

function wrapField(options: FieldOptions, state: FieldState, input: Html): Html {
  return html`<div class="field"><label for="${state.name}">${options.label}${options.isOptional === true && optional}</label>
${fieldTexts(options, state)}${input}</div>`;
}

function fieldTexts({ hint }: FieldOptions, { name, problem }: FieldState): Html {
  return html`${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${problem && html`<p class="field-error" id="${name}-error"><span class="hidden-text">Error: </span>${problem}</p>`}`;
}

function stateAttributes(options: FieldOptions, state: FieldState): Html {
  const isInvalid = state.problem !== undefined;
  return html`${attribute('required', !options.isOptional)}${attribute('aria-invalid', isInvalid && 'true')}${describedBy(options, state)}`;
}

function describedBy({ hint }: FieldOptions, { name, problem }: FieldState): Html {
  const ids = [hint && `${name}-hint`, problem !== undefined && `${name}-error`].filter(Boolean);
  return attribute('aria-describedby', ids.length > 0 && ids.join(' '));
}
