import type { OutgoingHttpHeaders } from 'node:http';
import { sendRequest, type TestResponse } from './send-request.ts';

/** Values by field; a list for checkboxes and for fields that repeat. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

export interface VisitedForm {
  readonly action: string;
  readonly method: string;
  /** What the form sends when nothing is changed. */
  readonly values: FormValues;
  /** The text of its buttons. */
  readonly buttons: readonly string[];
}

export interface VisitedPage extends TestResponse {
  /** Where redirects have led: a path of the service, or an address elsewhere, which is not opened. */
  readonly url: string;
  readonly title: string;
  /** The text that is seen, without tags. */
  readonly seen: string;
  readonly forms: readonly VisitedForm[];
}

interface SendOptions {
  readonly form?: FormValues | string;
  readonly headers?: OutgoingHttpHeaders;
}

/** A browser without scripts: keeps cookies, follows redirects of its service, and fills in forms. */
export interface Visitor {
  /** Value by name, of the cookies that were set. */
  readonly cookies: Map<string, string>;
  open(path: string): Promise<VisitedPage>;
  /** Sends the form of the page that has the fields, with those values. Throws if there is none. */
  submit(page: VisitedPage, values: FormValues): Promise<VisitedPage>;
  /** Sends the form with a button of that text. */
  press(page: VisitedPage, button: string, values?: FormValues): Promise<VisitedPage>;
  /** Sends one request and follows no redirect. A form makes it a POST. */
  send(path: string, options?: SendOptions): Promise<TestResponse>;
}

const maxRedirects = 10;

export interface VisitorOptions {
  /** Added to every request. */
  readonly headers?: OutgoingHttpHeaders;
}

/** Opens a browser on a service. The origin may be a loopback address; pages are asked for by the name localhost. */
export function createVisitor(origin: string, { headers = {} }: VisitorOptions = {}): Visitor {
  const { port } = new URL(origin);
  const named = `http://localhost:${port}`;
  const cookies = new Map<string, string>();

  async function send(path: string, { form, headers: own = {} }: SendOptions = {}): Promise<TestResponse> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await sendRequest(new URL(path, origin).href, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        host: `localhost:${port}`,
        accept: 'text/html',
        ...(cookie === '' ? {} : { cookie }),
        ...(form === undefined ? {} : formHeaders(named)),
        ...headers,
        ...own,
      },
      ...(form === undefined ? {} : { body: typeof form === 'string' ? form : encodeForm(form) }),
    });
    keepCookies(cookies, response.headers['set-cookie']);
    return response;
  }

  async function follow(path: string, options: SendOptions = {}): Promise<VisitedPage> {
    let url = path;
    let response = await send(path, options);
    for (let count = 0; response.status >= 300 && response.status < 400; count++) {
      if (count === maxRedirects) throw new Error(`${path} redirects without an end.`);
      const next = new URL(response.headers['location'] ?? '', new URL(url, named));
      if (next.origin !== named) return toPage(response, next.href);
      url = `${next.pathname}${next.search}`;
      response = await send(url);
    }
    return toPage(response, url);
  }

  const submitForm = (page: VisitedPage, form: VisitedForm, values: FormValues) => {
    const action = form.action === '' ? page.url : form.action;
    const all = { ...form.values, ...values };
    if (form.method !== 'get')
      return follow(new URL(action, new URL(page.url, named)).href.replace(named, ''), { form: all });
    return follow(`${action.replace(/\?.*/, '')}?${encodeForm(all)}`);
  };

  return {
    cookies,
    open: (path) => follow(path),
    async submit(page, values) {
      const names = Object.keys(values);
      const form = page.forms.find((one) => names.every((name) => Object.hasOwn(one.values, name)));
      if (form === undefined)
        throw new Error(`No form of "${page.title}" has ${names.join(', ')}: ${page.seen}`);
      return submitForm(page, form, values);
    },
    async press(page, button, values = {}) {
      const form = page.forms.find(({ buttons }) => buttons.includes(button));
      if (form === undefined) throw new Error(`"${page.title}" has no button ${button}: ${page.seen}`);
      return submitForm(page, form, values);
    },
    send,
  };
}

/** What a browser adds to a form that a page of the same origin sends. */
function formHeaders(origin: string): OutgoingHttpHeaders {
  return {
    'content-type': 'application/x-www-form-urlencoded',
    origin,
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
  };
}

function encodeForm(values: FormValues): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  return new URLSearchParams(pairs as [string, string][]).toString();
}

function keepCookies(cookies: Map<string, string>, header: string | undefined): void {
  for (const line of header?.split(/,(?=\s*[^;,\s]+=)/) ?? []) {
    const [, name = '', value = ''] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [];
    const isRemoved = value === '' || /;\s*max-age=0\b/i.test(line) || /expires=[^;]*\b1970\b/i.test(line);
    if (isRemoved) cookies.delete(name);
    else cookies.set(name, value);
  }
}

function toPage(response: TestResponse, url: string): VisitedPage {
  const { text } = response;
  const body = text.replace(/<(script|style)\b[^>]*>.*?<\/\1>/gs, ' ');
  return {
    ...response,
    url,
    title: toText(/<title>(.*?)<\/title>/s.exec(text)?.[1] ?? ''),
    seen: toText(body.replace(/<head>.*?<\/head>/s, ' ')),
    forms: [...body.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, tag = '', content = '']) => ({
      action: readAttribute(tag, 'action') ?? '',
      method: (readAttribute(tag, 'method') ?? 'get').toLowerCase(),
      values: readValues(content),
      buttons: [...content.matchAll(/<button\b[^>]*>(.*?)<\/button>/gs)].map(([, label = '']) =>
        toText(label),
      ),
    })),
  };
}

/** The values of fields as they stand; an unchecked box is an empty list, so that the form has its name. */
function readValues(content: string): FormValues {
  const values: Record<string, string | string[]> = {};
  for (const [, tag = ''] of content.matchAll(/<input\b([^>]*)>/g)) {
    const name = readAttribute(tag, 'name');
    if (name === undefined) continue;
    const value = readAttribute(tag, 'value') ?? '';
    if (!/\btype="(?:checkbox|radio)"/.test(tag)) values[name] = value;
    else values[name] = [...[values[name] ?? []].flat(), ...(/\schecked\b/.test(tag) ? [value] : [])];
  }
  for (const [, tag = '', options = ''] of content.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
    const all = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, option = '']) => option);
    const chosen = all.find((option) => /\sselected\b/.test(option)) ?? all[0] ?? '';
    values[readAttribute(tag, 'name') ?? ''] = readAttribute(chosen, 'value') ?? '';
  }
  for (const [, tag = '', text = ''] of content.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)) {
    values[readAttribute(tag, 'name') ?? ''] = decode(text);
  }
  return values;
}

function readAttribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : decode(found);
}

function toText(markup: string): string {
  return decode(markup.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
