import { createHash } from 'node:crypto';
import { pageScript } from './page-script.ts';
import { partStyle } from './style/parts.ts';
import { surfaceStyle } from './style/surfaces.ts';

/** A file that pages load. Its name changes with its text, so browsers keep it for good. */
export interface Asset {
  readonly path: string;
  readonly mediaType: string;
  readonly text: string;
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="7" fill="#5035c4"/><path d="M17.6 8.6c-1-1.2-2.6-1.9-4.4-1.9-2.5 0-4.3 1.2-4.3 3.1 0 4.3 8.6 1.9 8.6 6.3 0 2-1.9 3.2-4.5 3.2-2 0-3.8-.8-4.9-2.2" fill="none" stroke="#fff" stroke-width="2.3" stroke-linecap="round"/></svg>`;

const mediaTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

export const assets = {
  style: createAsset('pages', 'css', `${surfaceStyle}${partStyle}`),
  script: createAsset('pages', 'js', pageScript),
  icon: createAsset('icon', 'svg', icon),
};

function createAsset(name: string, extension: keyof typeof mediaTypes, text: string): Asset {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { path: `/assets/${name}-${digest}.${extension}`, mediaType: mediaTypes[extension], text };
}
