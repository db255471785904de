import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const COMMAND = join(import.meta.dirname, '..', '..', '..', 'shared', 'command', 'command.ts');

/** Prints for as long as it can: only the end of its reader ends it. */
const PROGRAM = `
const { runCommand } = await import(${JSON.stringify(COMMAND)});
await runCommand(async () => {
  for (;;) {
    console.log('a line '.repeat(1_000));
    await new Promise((resolve) => setImmediate(resolve));
  }
});
`;

it('a command ends without a word when nobody reads on', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  expect([code, said]).toEqual([0, '']);
});
