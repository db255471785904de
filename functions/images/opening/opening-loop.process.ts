import type { Unopened } from '../pictures/format.ts';
import { openFile } from './open-file.sharp.ts';
import type { OpenedFile } from './opened-file.ts';
import { type Bounds, startWatchdog } from './watchdog.ts';

/** What the process answers for a file. */
export interface Opening {
  readonly file: OpenedFile | Unopened;
  /**
   * The next file may be opened here. Not after a file that was refused, which may have broken a decoder, nor after a
   * PDF: the memory of its library never shrinks, so that the next file would have less.
   */
  readonly reusable: boolean;
}

const [memoryBytes = 0, cpuMillis = 0] = process.argv.slice(2).map(Number);
const bounds: Bounds = { memoryBytes, cpuMillis };
const watchdog = startWatchdog(bounds);

// Nobody waits for an answer any more. While a decoder runs, this is not noticed, and the watchdog ends the process.
process.on('disconnect', () => process.exit());
process.on('message', (bytes: Uint8Array) => void answer(bytes));
process.send?.('ready');

async function answer(bytes: Uint8Array): Promise<void> {
  await watchdog.begin();
  const file = await openFile(bytes);
  watchdog.end();
  const reusable = typeof file !== 'string' && file.format !== 'pdf';
  process.send?.({ file, reusable } satisfies Opening);
}
