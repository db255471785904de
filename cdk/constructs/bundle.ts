import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'bundles');

/** The code of `functions/<handlerOf>.handler.ts`, ready to be uploaded. */
export function handlerCode(handlerOf: string): Code {
  const entry = join(ROOT, 'functions', `${handlerOf}.handler.ts`);
  if (!existsSync(entry)) throw new Error(`There is no handler ${entry}.`);
  return Code.fromAsset(bundle(entry, join(BUNDLES, handlerOf)));
}

/**
 * Bundles one handler with everything it imports, the AWS SDK included: the same bytes run everywhere. Parts that are
 * imported dynamically become files of their own and load when first needed. Returns the folder.
 */
export function bundle(entry: string, folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  buildSync({
    entryPoints: { index: entry },
    outdir: folder,
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
  return folder;
}
