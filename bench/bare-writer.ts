import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

// Sends every line of a file as a PUT over 16 connections and checks only the status: no plan, no journal.
const [, , origin = '', key = '', file = ''] = process.argv;
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
const pool = new Pool(origin, { connections: 16 });
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
let next = 0;

async function sendInTurn(): Promise<void> {
  for (let index = next++; index < lines.length; index = next++) {
    const { id, ...body } = JSON.parse(lines[index] ?? '');
    const answer = await pool.request({
      path: `/api/v1/clients/${id}`,
      method: 'PUT',
      headers,
      body: JSON.stringify(body),
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${id} got status ${answer.statusCode}.`);
  }
}

await Promise.all(Array.from({ length: 16 }, sendInTurn));
await pool.close();
console.log(`${lines.length} written`);
