/** Runs a command to its exit code. An error is printed as a plain sentence, with its cause below. */
export async function runCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
    process.stderr.write(`${message}\n`);
    if (cause instanceof Error) process.stderr.write(`  (${cause.name}: ${cause.message})\n`);
    process.exitCode = 1;
  }
}
