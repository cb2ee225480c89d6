import { Low, Memory } from 'lowdb';
import { NormalizedAdapter } from './node_modules/json-server/lib/adapters/normalized-adapter.js';
import { createApp } from './node_modules/json-server/lib/app.js';
import { serve } from './truth.mjs';

/** What its program serves, without its file: that one listens on every address, whatever its `--host` is. */
const memory = new Memory();
const db = new Low(new NormalizedAdapter(memory), {});
await db.read();
const app = createApp(db, { logger: false });

serve(app.handler.bind(app), {
  read: () => db.data,
  async replace(records) {
    await memory.write(records);
    await db.read();
  },
});
