/** The code of functions as it runs: bundles that hold everything but native packages, the AWS SDK included. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { cachedFolder } from '../../asset-cache.ts';
import { copyPackages, FALLBACK_PACKAGES, LAMBDA, NATIVE_PACKAGES, requireLambdaBinaries } from './native-packages.ts';

/** The inputs of a bundle: our own code, the packages, and the files that bundle them. */
const SOURCES = [
  'functions/**/*.{ts,tsx,css,js,svg}',
  'tsconfig.json',
  // The console shows the runbook.
  'cdk/README.md',
  'shared/**/*.ts',
  'package-lock.json',
  'cdk/constructs/bundling/*.ts',
];

/** Names all that bundles are made of: two equal digests mean equal bundles. */
export function sourcesDigest(root: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(SOURCES, { cwd: root }).sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex').slice(0, 32);
}

const CACHED_DAYS = 1;

/** A bundle in a folder of its own, named after its sources. */
export function cachedBundle(entry: string, { bundles, sources }: { bundles: string; sources: string }): string {
  return cachedFolder(join(bundles, sources), { days: CACHED_DAYS }, (fresh) => bundle(entry, fresh));
}

/** The bundle with the packages that it imports, as Lambda runs it; the bundle itself if it imports none. */
export function withPackages(bundled: string): string {
  const file = join(bundled, NATIVE_IMPORTS);
  if (!existsSync(file)) return bundled;
  const names: string[] = JSON.parse(readFileSync(file, 'utf8'));
  return cachedFolder(`${bundled}-for-lambda`, { days: CACHED_DAYS }, (fresh) => {
    cpSync(bundled, fresh, { recursive: true });
    copyPackages(names, fresh, LAMBDA);
    requireLambdaBinaries(fresh);
  });
}

const NATIVE_IMPORTS = 'native-packages.json';

/** Members of `node:http` that load undici when they are read. */
const OF_UNDICI = ['WebSocket', 'CloseEvent', 'MessageEvent'];

/**
 * `node:http` without those members. An import of the real one in an ES module reads every member: 20 ms at the first
 * call of an AWS client, which needs none of them. A handler that imports one from here cannot be bundled.
 */
const httpModule = () => {
  const names = Object.keys(http).filter((name) => !OF_UNDICI.includes(name));
  const code = `const http = process.getBuiltinModule('node:http'); export default http; export const { ${names.join()} } = http;`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
};

/**
 * How esbuild makes bundles, for AWS and for local runs alike. Parts that are imported dynamically become files of
 * their own and load when first needed. Native packages stay outside.
 */
export const BUNDLE_OPTIONS = {
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
  external: [...Object.keys(NATIVE_PACKAGES), ...FALLBACK_PACKAGES],
  alias: { http: httpModule(), 'node:http': httpModule() },
  inject: [new URL('./mapped-stacks.ts', import.meta.url), new URL('./bundled-require.ts', import.meta.url)].map(
    (url) => fileURLToPath(url),
  ),
} as const satisfies BuildOptions;

/**
 * Bundles one handler as `index.mjs`. A file of the bundle names the native packages that it imports. Returns the
 * folder.
 */
export function bundle(entry: string, folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = buildSync({
    ...BUNDLE_OPTIONS,
    entryPoints: { index: entry },
    outdir: folder,
    metafile: true,
    logLevel: 'error',
  });
  const native = nativePackagesOf(metafile);
  if (native.length > 0) writeFileSync(join(folder, NATIVE_IMPORTS), JSON.stringify(native));
  return folder;
}

function nativePackagesOf({ outputs }: Metafile): string[] {
  const imported = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return Object.keys(NATIVE_PACKAGES).filter((name) =>
    imported.some((path) => path === name || path.startsWith(`${name}/`)),
  );
}
