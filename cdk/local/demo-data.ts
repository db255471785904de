/** Lets every domain put its demo tenant, credentials and data into a fresh cloud. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Runs `functions/<domain>/commands/demo.command.ts` of each domain, one after the other; throws when one fails. */
export async function runDemoCommands(root: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const domains = readdirSync(join(root, 'functions')).sort();
  for (const domain of domains) {
    const command = join('functions', domain, 'commands', 'demo.command.ts');
    if (existsSync(join(root, command))) await run(root, command, environment);
  }
}

async function run(root: string, command: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [command], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const said = Buffer.concat(complaints).toString('utf8').trim();
  if (code !== 0) throw new Error(`${command} failed.\n${said}`);
  if (said !== '') process.stderr.write(`${said}\n`);
}
