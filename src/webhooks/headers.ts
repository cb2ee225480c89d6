/** Headers as they come: Node's object, those of fetch or a Map, or a plain object; names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [name: string, value: string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers by their names in lower case. */
export type HeaderMap = ReadonlyMap<string, string>;

/** What came several times under one name stands behind each other with commas, as HTTP has it. */
export function toHeaderMap(headers: WebhookHeaders): HeaderMap {
  const map = new Map<string, string>();
  for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const texts = [map.get(key) ?? [], value].flat();
    map.set(key, texts.join(', '));
  }
  return map;
}

function isIterable(headers: WebhookHeaders): headers is Iterable<readonly [name: string, value: string]> {
  return Symbol.iterator in headers;
}
