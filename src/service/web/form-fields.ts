import type { XStatic } from 'typebox/schema';
import { compileBody } from '../domain/schema-violations.ts';
import { attribute, type Html, type HtmlContent, html } from './html.ts';
import type { RefusedForm } from './web-page.ts';

/** The parts of a schema that decide how its field is shown. The limits and choices are those of the API. */
interface FieldSchema {
  readonly type: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly items?: { readonly type: string; readonly enum?: readonly string[] };
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A field of a form: how it is shown, and what is read from it. */
export interface FormField<Value> extends FieldLook {
  readonly schema: FieldSchema;
  /** The value of the texts that were sent under its name; undefined for none. */
  read(sent: readonly string[]): Value | undefined;
  /** The texts that would be sent for a value. */
  write(value: Value): readonly string[];
  render(state: FieldState): Html;
}

interface FieldLook {
  readonly label: string;
  readonly hint?: HtmlContent;
  /** `conditional`: needed with some answers to other fields, so neither required nor marked as optional. */
  readonly isOptional?: boolean | 'conditional';
  /** By default what fits the schema: a line of text, a number, lines, a list that folds out, checkboxes. */
  readonly type?: 'email' | 'url' | 'date' | 'password' | 'radio' | 'hidden';
  /** The token of the HTML standard, such as `username`. */
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'url';
  readonly hasFocus?: boolean;
  /** What is offered, in words. By default what the schema allows. */
  readonly choices?: Readonly<Record<string, ChoiceTexts>>;
  readonly isTwoColumns?: boolean;
  /** What to say when nothing was typed, instead of that it is required. */
  readonly missing?: string;
}

interface ChoiceTexts {
  readonly label: string;
  readonly hint?: HtmlContent;
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

/** Reads a form that was sent, and validates it as the API does. Throws `validation_failed`. */
export function parseFields<F extends FormFields>(fields: F, sent: URLSearchParams): ValuesOf<F> {
  const entries = Object.entries(fields);
  const values = entries.flatMap(([name, field]) => {
    const value = field.read(sent.getAll(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  const validate = compileBody({
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.flatMap(([name, { isOptional }]) => (isOptional ? [] : name)),
  });
  const result = validate(Object.fromEntries(values));
  if ('error' in result) throw result.error;
  return result.value as ValuesOf<F>;
}

/** Shows fields with `values` at first, and then with what was sent and what is wrong with it. */
export function renderFields<F extends FormFields>(
  fields: F,
  { values = {}, refused }: { values?: Partial<ValuesOf<F>>; refused?: RefusedForm | undefined } = {},
): Html {
  const shown = Object.entries(fields).map(([name, field]) => {
    const value = values[name];
    const given = value === undefined ? [] : field.write(value);
    // A hidden field keeps what the page gave it.
    const sent = refused === undefined || field.type === 'hidden' ? given : refused.sent.getAll(name);
    return html`${field.render({ name, sent, problem: refused?.errors[name], isFirst: refused === undefined })}\n`;
  });
  return html`${shown}`;
}

/** The field of a value with a schema. */
export function field<const Schema extends FieldSchema>(
  schema: Schema,
  look: FieldLook,
): FormField<XStatic<Schema>> {
  const render = findRenderer(schema, look);
  return {
    ...look,
    schema,
    read: (sent) => readValue(schema, look, sent) as XStatic<Schema> | undefined,
    write(value) {
      if (typeof value === 'boolean') return value ? ['on'] : [];
      if (!Array.isArray(value)) return [String(value ?? '')];
      return schema.items?.enum ? value : [value.join('\n')];
    },
    render: (state) => render(schema, look, state),
  };
}

const anyText = { type: 'string' } as const;

/** A line of text that the domain checks; with `missing`, there must be one. */
export function textField(look: FieldLook): FormField<string> {
  return field(look.missing === undefined ? anyText : { ...anyText, minLength: 1 }, look);
}

/** A value that the page gives to its form. */
export const hidden = field(anyText, { label: '', type: 'hidden', isOptional: true });

function readValue(
  { type, items, uniqueItems, minLength }: FieldSchema,
  look: FieldLook,
  sent: readonly string[],
): unknown {
  if (type === 'boolean') return sent.includes('on');
  if (type === 'array') {
    const lines = sent[0]?.split(/[\s,]+/).filter((line) => line !== '') ?? [];
    return items?.enum ? sent : uniqueItems ? [...new Set(lines)] : lines;
  }
  const [text = ''] = sent;
  if (type === 'integer') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  // The spaces around a password belong to it.
  const value = look.type === 'password' ? text : text.trim();
  if (value !== '') return value;
  return type.includes('null') ? null : minLength ? undefined : value;
}

type Renderer = (schema: FieldSchema, look: FieldLook, state: FieldState) => Html;

function findRenderer({ type, items, enum: values }: FieldSchema, look: FieldLook): Renderer {
  if (look.type === 'hidden') return (_schema, _look, { name, sent }) => hiddenField(name, sent[0] ?? '');
  if (type === 'boolean') return renderCheckbox;
  if (items?.enum || look.type === 'radio') return renderChoices;
  if (type === 'array') return renderLines;
  return values || look.choices ? renderSelect : renderInput;
}

/** With scripts, a button reveals a password that was typed; it is never sent back. */
function renderInput(schema: FieldSchema, look: FieldLook, state: FieldState): Html {
  const { autocomplete = 'off', inputMode, hasFocus } = look;
  const { name, sent, isFirst } = state;
  const isNumber = schema.type === 'integer';
  const type = isNumber ? 'number' : (look.type ?? 'text');
  const isSecret = type === 'password';
  const isPlain = isSecret || type === 'email' || type === 'url';
  const input = html`<input id="${name}" name="${name}" type="${type}"${attribute('value', isSecret ? undefined : sent[0])}${attribute('autocomplete', autocomplete)}${attribute('inputmode', isNumber ? 'numeric' : inputMode)}${attribute('maxlength', schema.maxLength)}${attribute('min', schema.minimum)}${attribute('max', schema.maximum)}${attribute('autofocus', hasFocus && isFirst)}${attribute('spellcheck', isPlain && 'false')}${attribute('autocapitalize', isPlain && 'none')}${stateAttributes(look, state)}>`;
  const button = html`<button type="button" class="button" data-show="${name}" aria-pressed="false" hidden>Show<span class="hidden-text"> password</span></button>`;
  return wrapField(look, state, isSecret ? html`<div class="secret">${input}${button}</div>` : input);
}

/** A list, with an item in each line. */
function renderLines(_schema: FieldSchema, look: FieldLook, state: FieldState): Html {
  const { name, sent } = state;
  const area = html`<textarea id="${name}" name="${name}"${stateAttributes(look, state)}>
${sent[0]}</textarea>`;
  return wrapField(look, state, area);
}

function toChoices(schema: FieldSchema, { choices }: FieldLook): [string, ChoiceTexts][] {
  if (choices !== undefined) return Object.entries(choices);
  const values = (schema.items?.enum ?? schema.enum ?? []).filter((value) => value !== null);
  return values.map((value) => [value, { label: value }]);
}

function renderSelect(schema: FieldSchema, look: FieldLook, state: FieldState): Html {
  const { name, sent } = state;
  const none: [string, ChoiceTexts][] = schema.type.includes('null') ? [['', { label: 'None' }]] : [];
  const options = [...none, ...toChoices(schema, look)].map(
    ([value, { label }]) =>
      html`<option value="${value}"${attribute('selected', value === sent[0])}>${label}</option>`,
  );
  const select = html`<select id="${name}" name="${name}"${stateAttributes(look, state)}>${options}</select>`;
  return wrapField(look, state, select);
}

/** Radio buttons, or checkboxes. A value that is allowed and not offered is offered where it is. */
function renderChoices(schema: FieldSchema, look: FieldLook, state: FieldState): Html {
  const { name, sent } = state;
  const offered = toChoices(schema, look);
  const others = sent.filter(
    (text) => schema.items?.enum?.includes(text) && !offered.some(([value]) => value === text),
  );
  const all = [...offered, ...others.map((value): [string, ChoiceTexts] => [value, { label: value }])];
  const type = look.type ?? 'checkbox';
  const listed = all.map(([value, { label, hint }], index) => {
    const id = index === 0 ? name : `${name}-${index}`;
    return html`<label class="choice"><input type="${type}" id="${id}" name="${name}" value="${value}"${attribute('checked', sent.includes(value))}><span>${label}${hint && html`<span>${hint}</span>`}</span></label>`;
  });
  return html`<fieldset class="field"${describedBy(look, state)}><legend>${look.label}${look.isOptional === true && optional}</legend>
${fieldTexts(look, state)}<div class="choices${look.isTwoColumns && ' two-columns'}">${listed}</div></fieldset>`;
}

/** One checkbox, such as "Send events". */
function renderCheckbox(_schema: FieldSchema, { label, hint }: FieldLook, { name, sent }: FieldState): Html {
  return html`<div class="field"><label class="choice"><input type="checkbox" name="${name}" value="on"${attribute('checked', sent.includes('on'))}><span>${label}${hint && html`<span>${hint}</span>`}</span></label></div>`;
}

export function hiddenField(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

const optional = html`<span class="optional"> (optional)</span>`;

function wrapField(look: FieldLook, state: FieldState, input: Html): Html {
  return html`<div class="field"><label for="${state.name}">${look.label}${look.isOptional === true && optional}</label>
${fieldTexts(look, state)}${input}</div>`;
}

function fieldTexts({ hint }: FieldLook, { name, problem }: FieldState): Html {
  return html`${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${problem && html`<p class="field-error" id="${name}-error"><span class="hidden-text">Error: </span>${problem}</p>`}`;
}

function stateAttributes(look: FieldLook, state: FieldState): Html {
  const isInvalid = state.problem !== undefined;
  return html`${attribute('required', !look.isOptional)}${attribute('aria-invalid', isInvalid && 'true')}${describedBy(look, state)}`;
}

function describedBy({ hint }: FieldLook, { name, problem }: FieldState): Html {
  const ids = [hint && `${name}-hint`, problem !== undefined && `${name}-error`].filter(Boolean);
  return attribute('aria-describedby', ids.length > 0 && ids.join(' '));
}
