import { Worker } from 'node:worker_threads';

export interface Bounds {
  /** Resident memory of the whole process: that of WebAssembly and of native decoders counts, as it does in Lambda. */
  readonly memoryBytes: number;
  /** From one `begin` to its `end`. */
  readonly millis: number;
}

/** Memory is filled at one or two gigabytes a second, so that a process exceeds its bound by some 10 MB. */
const EVERY_MILLIS = 5;

/** Runs as a script of its own: it must not share the thread that a decoder keeps busy. */
const SCRIPT = `
const { parentPort, workerData: { memoryBytes, millis, everyMillis } } = require('node:worker_threads');
let watch;
parentPort.on('message', (begins) => {
  clearInterval(watch);
  if (!begins) return;
  const end = performance.now() + millis;
  watch = setInterval(() => {
    if (process.memoryUsage.rss() > memoryBytes || performance.now() > end) process.kill(process.pid, 'SIGKILL');
  }, everyMillis);
  parentPort.postMessage('watching');
});
`;

/**
 * A thread that kills its process when work exceeds its bounds. Node bounds neither memory outside of its heap nor time,
 * and a decoder that runs can be stopped in no other way, on any system.
 */
export function startWatchdog(bounds: Bounds) {
  const thread = new Worker(SCRIPT, { eval: true, workerData: { ...bounds, everyMillis: EVERY_MILLIS } });
  thread.unref();
  return {
    /** Resolves when the thread watches. */
    begin: () =>
      new Promise<void>((resolve) => {
        thread.once('message', () => resolve());
        thread.postMessage(true, []);
      }),
    end: () => thread.postMessage(false, []),
  };
}
