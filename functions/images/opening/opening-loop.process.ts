import type { Unopened } from '../pictures/format.ts';
import { openFile } from './open-file.sharp.ts';
import type { OpenedFile } from './opened-file.ts';
import { type Bounds, startWatchdog } from './watchdog.ts';

/** The answer of the process for a file. */
export interface Opening {
  readonly file: OpenedFile | Unopened;
  /**
   * True if the process can open another file. It cannot after a refused file, which may have broken a decoder, nor
   * after a PDF, whose library never returns memory.
   */
  readonly reusable: boolean;
}

const [memoryBytes = 0, cpuMillis = 0] = process.argv.slice(2).map(Number);
const bounds: Bounds = { memoryBytes, cpuMillis };
const watchdog = startWatchdog(bounds);

// The parent no longer waits for an answer. A running decoder delays this event; the watchdog then ends the process.
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
