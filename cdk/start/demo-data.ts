/** Lets every domain put its demo tenant, credentials and data into a fresh cloud. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = fileURLToPath(new URL('./demo-commands.ts', import.meta.url));

/**
 * Runs `functions/<domain>/commands/<name>.command.ts` of each domain that has one, one after the other in a process of
 * their own. Throws when one fails; the signal ends the process.
 */
export async function runDemoCommands(
  root: string,
  name: string,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<void> {
  const domains = readdirSync(join(root, 'functions')).sort();
  const commands = domains
    .map((domain) => join('functions', domain, 'commands', `${name}.command.ts`))
    .filter((command) => existsSync(join(root, command)));
  const child = spawn(process.execPath, [COMMANDS, ...commands], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'inherit', 'pipe'],
    signal,
  });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const said = Buffer.concat(complaints).toString('utf8').trim();
  if (code !== 0) throw new Error(said);
  if (said !== '') process.stderr.write(`${said}\n`);
}
