import { openTestApp, type TestApp } from './oauth-app.ts';
import { sendRequest } from './send-request.ts';
import { openTestService, type TestService, type TestServiceOptions } from './service.ts';
import { signInVisitor } from './signed-in-visitor.ts';
import type { VisitedPage, Visitor } from './visitor.ts';

/** A service with a person who has signed in, the command line, and the app of a shop. */
export interface OauthScene extends AsyncDisposable {
  readonly service: TestService;
  readonly visitor: Visitor;
  readonly app: TestApp;
  /** Confidential. */
  readonly shop: TestApp;
  /** Adds an OAuth client to the account of a key, by default that of the service. */
  addClient(body: object, key?: string): Promise<{ id: string; secret: string }>;
  /** Sends a form without a browser. */
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<OauthAnswer>;
  /** Opens an authorization URL of the command line with other parameters, and follows no redirect to an app. */
  open(change: Readonly<Record<string, string | undefined>>): Promise<VisitedPage>;
}

interface OauthAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly error?: string };
}

export async function openOauthScene(options: TestServiceOptions = {}): Promise<OauthScene> {
  const service = await openTestService(options);
  await service.addPerson();
  const visitor = await signInVisitor(service.origin);
  const app = await openTestApp(service.origin);
  const redirectUri = 'https://shop.example/back';

  const addClient = async (body: object, key = service.keys.owner) => {
    const response = await sendRequest(`${service.origin}/v1/oauth-clients`, { method: 'POST', key, body });
    if (response.status !== 201) throw new Error(response.text);
    return JSON.parse(response.text);
  };
  const { id, secret } = await addClient({
    name: 'Shop',
    redirect_uris: [redirectUri],
    scopes: ['clients:read'],
  });
  return {
    service,
    visitor,
    app,
    shop: await openTestApp(service.origin, { clientId: id, secret, redirectUri }),
    addClient,
    async post(path, form, headers = {}) {
      const body = new URLSearchParams(form);
      const response = await fetch(`${service.origin}${path}`, { method: 'POST', body, headers });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? {} : JSON.parse(text),
      };
    },
    async open(change) {
      const { url } = await app.begin();
      for (const [name, value] of Object.entries(change)) {
        if (value === undefined) url.searchParams.delete(name);
        else url.searchParams.set(name, value);
      }
      return visitor.open(`${url.pathname}${url.search}`);
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
