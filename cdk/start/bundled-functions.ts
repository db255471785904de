/** The code of all functions, bundled in one run of esbuild with the parts that they share, when a source has changed. */
import { globSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { type BuildOptions, build, stop } from 'esbuild';
import { cachedFolderLater, removeUnused } from '../asset-cache.ts';
import { BUNDLE_OPTIONS, sourcesDigest } from '../constructs/bundling/bundle.ts';
import type { Step } from './steps.ts';

const CACHED_DAYS = 1;
const COMPILED_DAYS = 7;

/** The folder of up-to-date bundles: `webhooks/rules/rules.mjs` is `functions/webhooks/rules/rules.handler.ts`. */
export function bundledFunctions(root: string, step: Step): Promise<string> {
  const folder = join(root, 'node_modules', '.cache', 'functions', sourcesDigest(root));
  return cachedFolderLater(folder, { days: CACHED_DAYS }, async (fresh) => {
    const options = functionsBuild(root, fresh);
    await step(`Bundling ${Object.keys(options.entryPoints).length} functions`, () => build(options));
    // esbuild's process would stay, with all that it has read.
    await stop();
    // Bundles have paths of their own, and Node keeps what it compiles by the path.
    const compiled = getCompileCacheDir();
    if (compiled !== undefined) removeUnused(compiled, { days: COMPILED_DAYS });
  });
}

/** All handlers in one run, into the folder. */
export function functionsBuild(root: string, folder: string) {
  const handlers = globSync('functions/**/*.handler.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  return {
    ...BUNDLE_OPTIONS,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      handlers.map((file) => [file.slice('functions/'.length, -'.handler.ts'.length), file]),
    ),
    outdir: folder,
    logLevel: 'silent',
  } as const satisfies BuildOptions;
}
