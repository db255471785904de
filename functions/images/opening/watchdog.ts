import { Worker } from 'node:worker_threads';

export interface Bounds {
  /** Resident memory of the whole process: that of WebAssembly and of native decoders counts, as it does in Lambda. */
  readonly memoryBytes: number;
  /** Of a processor, from one `begin` to its `end`: a busy machine makes no file too costly. */
  readonly cpuMillis: number;
}

/** Memory is filled at one or two gigabytes a second, so that a process exceeds its bound by some 10 MB. */
const EVERY_MILLIS = 5;
/** Of work that stands still, or hardly gets a processor. */
const WALL_FACTOR = 5;

/** Runs as a script of its own: it must not share the thread that a decoder keeps busy. */
const SCRIPT = `
const { parentPort, workerData: { memoryBytes, cpuMillis, wallMillis, everyMillis } } = require('node:worker_threads');
const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1_000; };
let watch;
parentPort.on('message', (begins) => {
  clearInterval(watch);
  if (!begins) return;
  const [cpuEnd, wallEnd] = [cpu() + cpuMillis, performance.now() + wallMillis];
  watch = setInterval(() => {
    const isOver = process.memoryUsage.rss() > memoryBytes || cpu() > cpuEnd || performance.now() > wallEnd;
    if (isOver) process.kill(process.pid, 'SIGKILL');
  }, everyMillis);
  parentPort.postMessage('watching');
});
`;

/**
 * A thread that kills its process when work exceeds its bounds. Node bounds neither memory outside of its heap nor time,
 * and a decoder that runs can be stopped in no other way, on any system.
 */
export function startWatchdog(bounds: Bounds) {
  const thread = new Worker(SCRIPT, {
    eval: true,
    workerData: { ...bounds, wallMillis: bounds.cpuMillis * WALL_FACTOR, everyMillis: EVERY_MILLIS },
  });
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
