import { sendRequest, toJson } from './send-request.ts';
import type { TestService } from './service.ts';

/** An address without a listener. */
export const silentUrl = 'http://127.0.0.1:9/hook';

/** Deletes an account's webhooks, creates others and sends one test event to each. */
export async function makeWebhooks(
  { origin, keys }: Pick<TestService, 'origin' | 'keys'>,
  count: number,
): Promise<{ webhooks: string[]; deliveries: string[] }> {
  const send = async (method: string, path: string, body?: object) => {
    const sent = { method, key: keys.owner, ...(body === undefined ? {} : { body }) };
    return sendRequest(`${origin}/v1/webhooks${path}`, sent);
  };
  const former: { data: { id: string }[] } = JSON.parse((await send('GET', '')).text);
  await Promise.all(former.data.map(({ id }) => send('DELETE', `/${id}`)));
  const made = { webhooks: [] as string[], deliveries: [] as string[] };
  for (let index = 0; index < count; index++) {
    const { id } = toJson(await send('POST', '', { url: silentUrl }));
    made.webhooks.push(String(id));
    made.deliveries.push(String(toJson(await send('POST', `/${id}/test`))['id']));
  }
  return made;
}
