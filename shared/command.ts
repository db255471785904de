/** Runs a command to its exit code. A plain sentence for what went wrong; the cause below it for who wants to know. */
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
