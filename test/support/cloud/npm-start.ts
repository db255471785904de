/** `npm start` as a process of its own, which tests may kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { noteServiceLine } from '../runner/circumstances.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const READY = /^Ready http:\/\/localhost:(\d+)$/m;
const AWS_ENDPOINT = /^AWS endpoint {2}(http:\S+)/m;

export interface StartedProcess {
  readonly child: ChildProcess;
  /** Its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly printed: () => string;
}

interface StartOptions {
  /** The project. @default this one */
  readonly root?: string;
  /** As `npm run dev` does. @default false */
  readonly watches?: boolean;
}

/** Begins on free ports with nothing kept, unless the settings say otherwise. Kill it when done. */
export function npmStart(
  settings: Readonly<Record<string, string>>,
  { root = ROOT, watches = false }: StartOptions = {},
): StartedProcess {
  const environment = { ...process.env, PORT: '0', LOCAL_AWS_PORT: '0', LOCAL_DATA_DIR: ':memory:', LOCAL_DEMO: '0' };
  const child = spawn(process.execPath, [join('cdk', 'start', 'npm-start.js'), ...(watches ? ['--watch'] : [])], {
    cwd: root,
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      for (const line of chunk.toString().trimEnd().split('\n')) noteServiceLine(line);
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, ended, printed: () => printed };
}

/** Resolves as soon as it has printed the line; rejects if it ends before. */
export function says({ child, ended, printed }: StartedProcess, line: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => line.test(printed()) && resolve();
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
    void ended.then(() => reject(new Error(`It ended: ${printed()}`)));
    look();
  });
}

/** Waits until it serves; where its two endpoints are. */
export async function ready(run: StartedProcess): Promise<{ apiUrl: string; awsUrl: string }> {
  await says(run, READY);
  const { printed } = run;
  return { apiUrl: `http://localhost:${READY.exec(printed())?.[1]}`, awsUrl: AWS_ENDPOINT.exec(printed())?.[1] ?? '' };
}

export async function killed({ child, ended }: StartedProcess): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}
