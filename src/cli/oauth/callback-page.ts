import { createHash } from 'node:crypto';

/** What the browser shows when it comes back. */
const pages = {
  signed_in: { title: 'You are signed in', text: 'You can close this page and return to the terminal.' },
  failed: { title: 'The sign-in failed', text: 'Return to the terminal to see why.' },
  unknown: { title: 'Nothing to do here', text: 'No sign-in is in progress here.' },
} as const;

const style =
  'body{font:1.125rem/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:32rem;margin:15vh auto;padding:0 1rem}' +
  '@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}}h1{font-size:1.5rem}';

const styleHash = () => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;

/** A page without scripts, links and anything that the address contains. */
export function renderCallbackPage(page: keyof typeof pages) {
  const { title, text } = pages[page];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} – salon</title><style>${style}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${styleHash()}; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  return { html, headers };
}
