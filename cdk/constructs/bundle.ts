import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'bundles');

/**
 * Bundles one handler with everything it imports, the AWS SDK included: the same bytes run everywhere. Parts that are
 * imported dynamically become files of their own and load when first needed.
 */
export function bundle(handlerOf: string): Code {
  const entry = join(ROOT, 'functions', `${handlerOf}.handler.ts`);
  const folder = join(BUNDLES, handlerOf);
  statSync(entry);
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
    keepNames: false,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    // CommonJS packages inside the bundle ask for Node's own modules with `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return Code.fromAsset(folder);
}
