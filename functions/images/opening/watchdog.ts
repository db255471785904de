import { Worker } from 'node:worker_threads';

export interface Bounds {
  /** Resident memory of the whole process, including WebAssembly and native decoders, as Lambda counts it. */
  readonly memoryBytes: number;
  /** Processor time from `begin` to `end`, so that a busy machine makes no file too costly. */
  readonly cpuMillis: number;
}

/** Memory fills at one to two gigabytes a second, so a process exceeds its limit by about 10 MB. */
const EVERY_MILLIS = 5;
/** A limit of wall-clock time, for work that stalls or gets hardly any processor time. */
const WALL_FACTOR = 5;

/** The watchdog is a script of its own, because the decoder blocks its thread. */
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
 * Starts a thread that kills its process when work exceeds its limits. Node limits neither memory outside its heap nor
 * time, and nothing else stops a running decoder on every system.
 */
export function startWatchdog(bounds: Bounds) {
  const thread = new Worker(SCRIPT, {
    eval: true,
    workerData: { ...bounds, wallMillis: bounds.cpuMillis * WALL_FACTOR, everyMillis: EVERY_MILLIS },
  });
  thread.unref();
  return {
    /** Resolves when the thread is watching. */
    begin: () =>
      new Promise<void>((resolve) => {
        thread.once('message', () => resolve());
        thread.postMessage(true, []);
      }),
    end: () => thread.postMessage(false, []),
  };
}
