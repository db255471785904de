/** The cloud assembly of the app, made when its sources have changed since the last time. */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';

/** Commands find the local run under the names of this stage. */
const LOCAL_STAGE = 'dev';

const SOURCES = ['cdk', 'functions', 'shared', 'package.json', 'package-lock.json', 'cdk.json'];
/** Runs the assembly and is no part of it. */
const RUNNER = join('cdk', 'local');
const KEPT_DAYS = 7;

/** The folder of an up-to-date assembly. */
export async function synthesized(root: string): Promise<string> {
  const assemblies = join(root, 'node_modules', '.cache', 'local-cloud');
  const folder = join(assemblies, fingerprint(root));
  if (!existsSync(folder)) {
    mkdirSync(assemblies, { recursive: true });
    // Under a name of its own first: another instance may be making the same one at this moment.
    const fresh = `${folder}-${randomUUID()}`;
    await synthesize(root, fresh);
    putInPlace(fresh, folder);
    // Each assembly has its own functions, and Node keeps what it compiles of them.
    const compiled = getCompileCacheDir();
    if (compiled !== undefined) forgetOld(compiled, new Date());
  }
  const now = new Date();
  utimesSync(folder, now, now);
  forgetOld(assemblies, now);
  return folder;
}

/** The first of two instances wins; what the other one made is the same. */
function putInPlace(fresh: string, folder: string) {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(fresh, { recursive: true });
  }
}

function fingerprint(root: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of SOURCES.flatMap((source) => filesIn(root, source))) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 32);
}

function filesIn(root: string, path: string): string[] {
  if (path === RUNNER || !existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesIn(root, join(path, name)));
}

async function synthesize(root: string, folder: string): Promise<void> {
  const child = spawn(process.execPath, [join('cdk', 'app.ts')], {
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
  if (code === 0) return;
  rmSync(folder, { recursive: true, force: true });
  throw new Error(`The app cannot be synthesized.\n${Buffer.concat(printed).toString('utf8')}`);
}

/** What the CDK command line would take from cdk.json. */
function contextOf(root: string): object {
  const { context = {} }: { context?: object } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'));
  return context;
}

/** A running instance may still load functions from its assembly, so only those that no start has used lately go. */
function forgetOld(folder: string, now: Date) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // Another instance may be doing the same.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && now.getTime() - stats.mtimeMs > KEPT_DAYS * 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}
