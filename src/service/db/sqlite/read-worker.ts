import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openReadJobs, type ReadJob } from './read-jobs.ts';

// The thread of a pool that reads: it runs one job at a time and answers each with a result.

const port = parentPort;
if (port === null) throw new Error('This file runs in a worker thread.');

/** A third of the usual share where threads compete for a processor. */
const niceness = 5;

// Requests that need no thread go first. Elsewhere the priority would be that of the whole process.
if (platform() === 'linux') setPriority(niceness);

const run = openReadJobs(workerData);
port.on('message', (job: ReadJob) => {
  port.postMessage(run(job));
  if (job.kind === 'end') port.close();
});
