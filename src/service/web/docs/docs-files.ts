import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { docsScript, docsStyle } from './docs-page.ts';

/** What the page of the reference loads. */
export interface DocsFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  readonly gzipped: Uint8Array;
  /** Names the bytes, in double quotes. */
  readonly tag: string;
}

const javascript = 'text/javascript; charset=utf-8';
const css = 'text/css; charset=utf-8';

const sources: Readonly<Record<string, { mediaType: string; read: () => Promise<Uint8Array> }>> = {
  'docs.js': { mediaType: javascript, read: async () => Buffer.from(docsScript) },
  'docs.css': { mediaType: css, read: async () => Buffer.from(docsStyle) },
  'swagger-ui-bundle.js': { mediaType: javascript, read: () => readViewerFile('swagger-ui-bundle.js') },
  'swagger-ui.css': { mediaType: css, read: () => readViewerFile('swagger-ui.css') },
};

const kept = new Map<string, Promise<DocsFile>>();

/** One of the page's files, read and compressed the first time that somebody asks; undefined where there is none. */
export function readDocsFile(name: string): Promise<DocsFile> | undefined {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (source === undefined) {
    return undefined;
  }
  const known = kept.get(name) ?? toDocsFile(source);
  kept.set(name, known);
  // A file that could not be read once is tried again, not refused for ever.
  known.catch(() => kept.delete(name));
  return known;
}

async function toDocsFile({ mediaType, read }: (typeof sources)[string]): Promise<DocsFile> {
  const bytes = await read();
  const digest = createHash('sha256').update(bytes).digest('base64url');
  return { mediaType, bytes, gzipped: await promisify(gzip)(bytes), tag: `"${digest}"` };
}

function readViewerFile(name: string): Promise<Uint8Array> {
  return readFile(fileURLToPath(import.meta.resolve(`@fastify/swagger-ui/static/${name}`)));
}
