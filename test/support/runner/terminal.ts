/** A shell as a person has it at the terminal, in a folder. */
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

export interface Terminal {
  /**
   * Runs a command to its end, and returns what was printed meanwhile, also by what runs behind it. Where that is not
   * all of it, it waits for more, but not for ever.
   */
  run(command: string, isAll?: (printed: string) => boolean): Promise<{ code: number; printed: string }>;
  /** Begins a command, and waits until it has printed this. Fails if it ends before. */
  begin(command: string, line: RegExp): Promise<RegExpExecArray>;
  /** Waits until this was printed. */
  says(line: RegExp): Promise<void>;
  /** All that was printed so far. */
  all(): string;
  /** Ends the shell and all that it has started. */
  close(): Promise<void>;
}

/** Stands before and after the exit code of a command. */
const MARK = '\u0001';
const EXIT = new RegExp(`${MARK}(\\d+)${MARK}`);

/** Long: other work of the machine must fail no test. */
export const GRACE_PERIOD_MILLIS = 60_000;

export function openTerminal(folder: string, environment: NodeJS.ProcessEnv): Terminal {
  // In a process group of its own: what it starts ends with it.
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd: folder, env: environment, detached: true });
  let output = '';
  let wake = () => {};
  const add = (chunk: Buffer) => {
    output += chunk.toString();
    wake();
  };
  shell.stdout.on('data', add);
  shell.stderr.on('data', add);
  const closed = new Promise<'closed'>((resolve) => shell.on('close', () => resolve('closed')));

  /** Types a command; what it prints from then on. */
  function typed(command: string): () => string {
    const start = output.length;
    shell.stdin.write(`{ ${command}\n} < /dev/null\nprintf '${MARK}%s${MARK}' $?\n`);
    return () => output.slice(start);
  }

  /** Waits until something holds of what is printed, or the end of another promise. */
  async function until(holds: () => boolean, end: Promise<unknown> = new Promise(() => {})): Promise<void> {
    while (!holds()) {
      const more = new Promise<'more'>((resolve) => (wake = () => resolve('more')));
      const next = await Promise.race([more, closed, end]);
      if (next === 'closed') throw new Error(`The shell has ended:\n${output}`);
      if (next !== 'more') return;
    }
  }

  return {
    async run(command, isAll = () => true) {
      const text = typed(command);
      await until(() => EXIT.test(text()));
      const printed = () => text().replace(EXIT, '');
      const cancel = new AbortController();
      const tired = pause(GRACE_PERIOD_MILLIS, undefined, { signal: cancel.signal }).catch(() => undefined);
      await until(() => isAll(printed()), tired);
      cancel.abort();
      return { code: Number(EXIT.exec(text())?.[1]), printed: printed() };
    },
    async begin(command, line) {
      const text = typed(command);
      await until(() => line.test(text()) || EXIT.test(text()));
      const match = line.exec(text());
      if (match === null) throw new Error(`${command} ended:\n${text()}`);
      return match;
    },
    says: (line) => until(() => line.test(output)),
    all: () => output,
    async close() {
      if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
      await closed;
    },
  };
}
