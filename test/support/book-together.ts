import { createBulkEdits, createClient } from '../../src/index.ts';

// A process that books appointments as one job. Arguments: the origin, a key, the folder of jobs, and the bookings as JSON.
const [, , baseUrl = '', token = '', folder = '', bookings = '[]'] = process.argv;
await using client = createClient({ baseUrl, credential: { kind: 'bearer', token } });
const edits = createBulkEdits({ client, folder });
await using planned = await edits.planBookings(JSON.parse(bookings), { name: 'Ana', onConflict: 'refuse' });
await edits.apply(planned);
