import type { Plugin } from 'esbuild';

/** What the program uses of undici. All of it would add 50 ms to every start. */
const parts = {
  Agent: 'dispatcher/agent.js',
  Pool: 'dispatcher/pool.js',
  buildConnector: 'core/connect.js',
};

/** Bundles only those parts, and without HTTP/2, which the program does not speak. */
export const smallUndici: Plugin = {
  name: 'small-undici',
  setup({ initialOptions, onResolve, onLoad }) {
    // As in Node itself, undici then leaves out its second parser, which is on trial.
    initialOptions.define = { ...initialOptions.define, esbuildDetection: '1' };
    onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'small-undici' }));
    onLoad({ filter: /^/, namespace: 'small-undici' }, () => ({
      contents: Object.entries(parts)
        .map(([name, file]) => `export { default as ${name} } from 'undici/lib/${file}';`)
        .join('\n'),
      resolveDir: '.',
    }));
    onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('This client does not speak HTTP/2.'); };",
    }));
  },
};
