import type { Violation } from '../../contract/errors.ts';
import { quote } from '../../text/quote.ts';
import { type Fields, isFields } from '../json-object.ts';

const messageNames = ['message', 'Message', 'msg', 'error_message', 'errorMessage', 'faultstring', 'reason'];
const detailNames = ['detail', ...messageNames, 'defaultMessage', 'description', 'title', 'code'];
const fieldNames = ['pointer', 'field', 'path', 'property', 'propertyPath', 'target', 'param', 'loc'];
const requestIdNames = ['request_id', 'requestId', 'traceId', 'trace_id', 'correlation_id', 'correlationId'];
const maxViolations = 100;

/**
 * Reads problem details (RFC 9457, ASP.NET, JSON:API), error objects (Stripe, Google, OData), lists of errors (Square,
 * Rails, GraphQL), errors by field (Laravel, Django REST framework, FastAPI), Spring, PostgREST and OAuth.
 */
export function readErrorReason(body: Fields) {
  const inner = ['error', 'odata.error', 'fault', 'detail'].map((name) => body[name]).find(isFields);
  const violations = readViolations(body, inner).slice(0, maxViolations);
  const candidates = [
    textOf(body['detail']),
    inner === undefined ? undefined : readText(inner, messageNames),
    textOf(inner?.['detail']),
    textOf(body['error_description']),
    withDetails(readText(body, messageNames), body['details']),
    violations.find(({ detail }) => detail !== '')?.detail,
    textOf(body['title'] ?? inner?.['title']),
    textOf(body['error']),
    textOf(inner?.['code']),
    violations.length > 0 ? 'The request is invalid.' : undefined,
  ];
  return {
    /** A code of the contract, or one of the server's own. */
    code: textOf(body['code'] ?? inner?.['code']),
    message: candidates.find((candidate) => candidate !== undefined),
    /** What to do, as PostgREST says it. */
    hint: textOf(body['hint'] ?? inner?.['hint']),
    requestId: readText(body, requestIdNames) ?? (inner && readText(inner, requestIdNames)),
    violations,
  };
}

/** PostgREST puts the values into a second sentence. */
function withDetails(message: string | undefined, details: unknown): string | undefined {
  const more = textOf(details);
  return message === undefined || more === undefined ? message : `${message.replace(/\.?$/, '.')} ${more}`;
}

function readViolations(body: Fields, inner: Fields | undefined): Violation[] {
  const lists = [
    body['errors'] ?? body['userErrors'] ?? inner?.['errors'],
    inner?.['details'],
    Array.isArray(body['detail']) ? body['detail'] : undefined,
    body['violations'],
    body['invalid-params'],
  ];
  const list = lists.find((one) => isFields(one) || (Array.isArray(one) && one.length > 0));
  if (Array.isArray(list)) return list.flatMap(toViolation);
  if (isFields(list)) return toFieldViolations(list);
  // Stripe names the parameter beside the message.
  if (inner !== undefined && readText(inner, ['param', 'target']) !== undefined) return toViolation(inner);
  return isByField(body) ? toFieldViolations(body) : [];
}

/** Django REST framework has nothing but lists of texts, by field. */
function isByField(body: Fields): boolean {
  const values = Object.values(body);
  const isTexts = (value: unknown) =>
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
  return values.length > 0 && values.every(isTexts);
}

function toFieldViolations(byField: Fields): Violation[] {
  return Object.entries(byField).flatMap(([field, value]) =>
    [value].flat().flatMap((item): Violation[] => {
      const detail = isFields(item) ? readText(item, detailNames) : textOf(item);
      if (detail === undefined) return [];
      // Django's and GraphQL's name for the whole record.
      const isWhole = ['non_field_errors', '__all__', 'base', ''].includes(field);
      return [{ ...(isWhole ? {} : { pointer: toPointer(field) }), code: 'invalid', detail }];
    }),
  );
}

function toViolation(error: unknown): Violation[] {
  if (!isFields(error)) {
    const detail = textOf(error);
    return detail === undefined ? [] : [{ code: 'invalid', detail }];
  }
  const source = isFields(error['source']) ? error['source'] : error;
  const field = fieldNames.map((name) => source[name]).find((value) => value !== undefined && value !== null);
  const path = Array.isArray(field) ? field.filter((part) => part !== 'body').join('/') : textOf(field);
  const parameter = textOf(source['parameter']);
  return [
    {
      ...(path === undefined || path === '' ? {} : { pointer: toPointer(path) }),
      ...(parameter === undefined ? {} : { parameter }),
      code: textOf(error['code']) ?? 'invalid',
      detail: readText(error, detailNames) ?? '',
    },
  ];
}

/** JSON:API points into the document, other servers name the field. */
function toPointer(field: string): string {
  const path = quote(field, 200).replace(/^#/, '');
  return path.startsWith('/') ? path.replace(/^\/data\/(?:attributes|relationships)(?=\/)/, '') : `/${path}`;
}

function readText(fields: Fields, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(fields[name])).find((text) => text !== undefined);
}

/** A text with content; OData version 3 has it under `value`. */
function textOf(value: unknown): string | undefined {
  if (isFields(value)) return textOf(value['value']);
  return typeof value === 'string' && value.trim() !== '' ? quote(value, 500) : undefined;
}
