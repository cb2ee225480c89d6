import { createHash } from 'node:crypto';
import { readPackagedFile } from '../../packaged-files.ts';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="7" fill="#5035c4"/><path d="M17.6 8.6c-1-1.2-2.6-1.9-4.4-1.9-2.5 0-4.3 1.2-4.3 3.1 0 4.3 8.6 1.9 8.6 6.3 0 2-1.9 3.2-4.5 3.2-2 0-3.8-.8-4.9-2.2" fill="none" stroke="#fff" stroke-width="2.3" stroke-linecap="round"/></svg>`;

const mediaTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

/**
 * The files that pages load, read once. Without the script, which asks nothing of other origins and writes no HTML, all
 * pages work, except passkeys.
 */
export function readAssets() {
  reading ??= readFiles().catch((error: unknown) => {
    reading = undefined;
    throw error;
  });
  return reading;
}

let reading: ReturnType<typeof readFiles> | undefined;

async function readFiles() {
  const [style, script] = [await readPackagedFile('pages.css'), await readPackagedFile('pages.js')];
  return {
    style: createAsset('pages', 'css', style.toString()),
    script: createAsset('pages', 'js', script.toString()),
    icon: createAsset('icon', 'svg', icon),
  };
}

/** A file that pages load. Its name changes with its text, so browsers keep it for good. */
function createAsset(name: string, extension: keyof typeof mediaTypes, text: string) {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { path: `/assets/${name}-${digest}.${extension}`, mediaType: mediaTypes[extension], text };
}
