/** The cloud assembly of the app, made when something that it depends on has changed since the last time. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { cachedFolderLater } from '../asset-cache.ts';
import { routeKeysIn } from '../constructs/functions/handler-routes.ts';
import type { Step } from './steps.ts';

/** Commands find the local run under the names of this stage. */
const LOCAL_STAGE = 'dev';

const APP = join('cdk', 'app.ts');
const SETTINGS = ['package.json', 'package-lock.json', 'cdk.json'];
const CACHED_DAYS = 7;

/** The folder of an up-to-date assembly. */
export function synthesized(root: string, step: Step): Promise<string> {
  const folder = join(root, 'node_modules', '.cache', 'assemblies', assemblyDigest(root));
  return cachedFolderLater(folder, { days: CACHED_DAYS }, (fresh) =>
    step('Synthesizing the stacks', () => synthesize(root, fresh)),
  );
}

/**
 * Names all that the assembly depends on: what the app imports, and the names and routes of handlers. The code of
 * functions is no part of a local assembly.
 */
export function assemblyDigest(root: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of [...SETTINGS, ...appFiles(root)]) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  for (const file of globSync('functions/**/*.handler.ts', { cwd: root }).sort()) {
    hash.update(`\0${file}\0`).update(routeKeysIn(join(root, file)).join());
  }
  return hash.digest('hex').slice(0, 32);
}

/** The app and all that it imports, without packages and types. */
function appFiles(root: string): string[] {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: [APP],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs).sort();
}

async function synthesize(root: string, folder: string): Promise<void> {
  const child = spawn(process.execPath, [APP], {
    cwd: root,
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...contextOf(root), stage: LOCAL_STAGE, local: true }),
      // A deployment validates; a start would only take longer.
      CDK_VALIDATION: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`The app cannot be synthesized.\n${Buffer.concat(printed).toString('utf8')}`);
}

/** Returns the context that the CDK command line would take from cdk.json. */
function contextOf(root: string): object {
  const { context = {} }: { context?: object } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));
  return context;
}
