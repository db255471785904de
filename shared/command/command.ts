import { type Arguments, type CommandLine, helpText, type Option, readCommandLine } from './command-line.ts';

/** Runs a command to its exit code. An error is printed as a plain sentence, with its cause below. */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  process.stdout.on('error', endQuietly);
  try {
    process.exitCode = await command();
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
    process.stderr.write(`${message}\n`);
    if (cause instanceof Error) process.stderr.write(`  (${cause.name}: ${cause.message})\n`);
    process.exitCode = 1;
  }
}

/** Ends the process when its reader stops reading, as `head` does after its lines. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  throw error;
}

/** The same for a command that people call with arguments. `--help` prints its usage. */
export function runCommandLine<const Options extends Readonly<Record<string, Option>>>(
  line: CommandLine<Options>,
  command: (args: Arguments<Options>) => Promise<number>,
): Promise<void> {
  return runCommand(async () => {
    const reading = readCommandLine(line, process.argv.slice(2));
    if (reading.kind === 'wrong') throw new Error(reading.sentence);
    if (reading.kind === 'call') return command(reading);
    process.stdout.write(helpText(line));
    return 0;
  });
}
