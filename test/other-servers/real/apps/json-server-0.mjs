import jsonServer from 'json-server';
import { serve } from './truth.mjs';

/** As its guide uses it as a module, over records in memory. */
const router = jsonServer.router({ clients: [], appointments: [], stylists: [] });
const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false, static: '.' }));
app.use(router);

serve(app, {
  read: () => router.db.getState(),
  replace: (records) => router.db.setState(records),
});
