// Run as a process of its own: adds one to the number in a versioned file, so many times.
import { openVersionedFile } from '../../src/cli/session/versioned-file.ts';

const [folder = '', times = ''] = process.argv.slice(2);
const file = openVersionedFile(folder, { name: String(process.pid), now: Date.now });
for (let done = 0; done < Number(times); done += 1) {
  file.update((text) => ({ text: String(Number(text ?? 0) + 1), result: undefined }));
}
