/** What a failing test needs beside its error: the seed, what the machine did, and what the services reported. */
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SEED } from './seed.ts';

const LINES_MAX = 40;
const LINE_LENGTH_MAX = 400;
const RESOLUTION_MILLIS = 20;
const GIGABYTE = 2 ** 30;

const lines: string[] = [];
const loopDelay = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS });
loopDelay.enable();

/** A line that a local cloud or a process of the service printed. */
export function noteServiceLine(line: string): void {
  lines.push(`${new Date().toISOString().slice(11, 23)} ${line.slice(0, LINE_LENGTH_MAX)}`);
  if (lines.length > LINES_MAX) lines.shift();
}

/** For a test file that begins: the lines of the last one do not concern it. */
export function forgetServiceLines(): void {
  lines.length = 0;
}

/** Begins to measure; the result describes the time until it is called. */
export function circumstances(): () => string {
  const [beganAt, cpuBefore] = [performance.now(), process.cpuUsage()];
  loopDelay.reset();
  return () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    // An idle loop measures the resolution itself.
    const lateMillis = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e6 - RESOLUTION_MILLIS));
    return [
      `TEST_SEED=${SEED}`,
      `Load of the machine: ${loadavg()
        .map((load) => load.toFixed(1))
        .join(', ')} on ${availableParallelism()} processors; ${gigabytes(freemem())} of ${gigabytes(totalmem())} free`,
      `This process: ${((user + system) / 1e6).toFixed(1)} s of processor time in ${((performance.now() - beganAt) / 1e3).toFixed(1)} s; ` +
        `its event loop was late by ${lateMillis(loopDelay.percentile(50))} ms at the median, ${lateMillis(loopDelay.max)} ms at most`,
      ...(lines.length > 0 ? ['The services reported last:', ...lines.map((line) => `  ${line}`)] : []),
    ].join('\n');
  };
}

const gigabytes = (bytes: number) => `${(bytes / GIGABYTE).toFixed(1)} GiB`;
