import type { SalonError, Violation } from '../../contract/errors.ts';

/** What an error says and which rules were broken, for people: each rule once, fields by their names. */
export function toErrorLines({ message, violations }: SalonError): readonly string[] {
  const [first, ...others] = violations;
  if (first === undefined) return [message];
  const said = nameField(message, first);
  const rule = nameField(first.detail, first);
  return rule.startsWith(said)
    ? [rule, ...others.map(renderViolation)]
    : [said, ...violations.map(renderViolation)];
}

function renderViolation(violation: Violation): string {
  const place = placeOf(violation);
  const detail = nameField(violation.detail, violation);
  if (place === undefined) return `  ${detail}`;
  return detail.startsWith(`${place} `) ? `  ${detail}` : `  ${place}: ${detail}`;
}

/** A sentence of the service that begins with a JSON pointer, with the field’s name instead. */
function nameField(sentence: string, violation: Violation): string {
  const { pointer } = violation;
  return pointer && sentence.startsWith(`${pointer} `)
    ? `${placeOf(violation)}${sentence.slice(pointer.length)}`
    : sentence;
}

function placeOf({ parameter, pointer }: Violation): string | undefined {
  return parameter ?? (pointer ? pointer.replace(/^\//, '').replaceAll('/', '.') : undefined);
}
