import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync, type OutputFile } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'bundles');

/** The code of `functions/<handlerOf>.handler.ts`, ready to be uploaded. */
export function handlerCode(handlerOf: string): Code {
  const entry = join(ROOT, 'functions', `${handlerOf}.handler.ts`);
  if (!existsSync(entry)) throw new Error(`There is no handler ${entry}.`);
  return Code.fromAsset(bundle(entry, BUNDLES));
}

/**
 * Bundles one handler with everything it imports, the AWS SDK included: the same bytes run everywhere. Parts that are
 * imported dynamically become files of their own and load when first needed.
 * @returns a folder below `folder`, named by its content: several processes may bundle at the same moment.
 */
export function bundle(entry: string, folder: string): string {
  const { outputFiles } = buildSync({
    entryPoints: { index: entry },
    outdir: folder,
    write: false,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    chunkNames: 'part-[hash]',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    // CommonJS packages inside the bundle ask for Node's own modules with `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const hash = createHash('sha256');
  for (const { path, contents } of outputFiles) hash.update(`\0${basename(path)}\0`).update(contents);
  const made = join(folder, hash.digest('hex').slice(0, 32));
  if (!existsSync(made)) writeInOne(made, outputFiles);
  const now = new Date();
  utimesSync(made, now, now);
  forgetOld(folder, now);
  return made;
}

/** Under a name of its own first, so that nobody sees a part of it. */
function writeInOne(made: string, files: readonly OutputFile[]): void {
  const fresh = `${made}-${randomUUID()}`;
  mkdirSync(fresh, { recursive: true });
  for (const { path, contents } of files) writeFileSync(join(fresh, basename(path)), contents);
  try {
    renameSync(fresh, made);
  } catch (error) {
    // Another process was first; what it made is the same.
    if (!existsSync(made)) throw error;
    rmSync(fresh, { recursive: true });
  }
}

const KEPT_DAYS = 7;

function forgetOld(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && now.getTime() - stats.mtimeMs > KEPT_DAYS * 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}
