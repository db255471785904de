import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync, type Metafile } from 'esbuild';
import { isLocal } from '../settings.ts';
import { keptFolder } from './kept-folder.ts';
import { copyPackages, LAMBDA, NATIVE_PACKAGES, requireLambdaBinaries } from './native-packages.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'bundles');

/** The code of `functions/<handlerOf>.handler.ts`, ready to be uploaded. */
export function handlerCode(scope: Construct, handlerOf: string): Code {
  const entry = join(ROOT, 'functions', `${handlerOf}.handler.ts`);
  if (!existsSync(entry)) throw new Error(`There is no handler ${entry}.`);
  if (!Stack.of(scope).bundlingRequired) return Code.fromAsset(dirname(entry));
  const bundled = keptBundle(entry, { bundles: join(BUNDLES, handlerOf), sources: sourcesDigest() });
  return Code.fromAsset(leavesProject(scope) ? withPackages(bundled) : bundled);
}

/**
 * Whether the code will run elsewhere. A local run loads bundles from below `node_modules`, where Node finds the installed
 * packages. A synthesis for which the CDK wants no bundling, such as for `cdk destroy`, uploads nothing.
 */
export function leavesProject(scope: Construct): boolean {
  return !isLocal(scope) && Stack.of(scope).bundlingRequired;
}

/** What can be in a bundle: our own code, the packages, and how these files put them together. */
const SOURCES = [
  'functions/**/*.{ts,tsx,css,js,svg}',
  'tsconfig.json',
  // The console shows the runbook.
  'cdk/README.md',
  'shared/**/*.ts',
  'package-lock.json',
  'cdk/constructs/{bundle,native-packages,locked-packages,fetched-packages}.ts',
];
let digest: string | undefined;

function sourcesDigest(): string {
  if (digest !== undefined) return digest;
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  }
  return (digest = hash.digest('hex').slice(0, 32));
}

const KEPT_DAYS = 1;

/** A bundle in a folder of its own, named after its sources. */
export function keptBundle(entry: string, { bundles, sources }: { bundles: string; sources: string }): string {
  return keptFolder(join(bundles, sources), { days: KEPT_DAYS }, (fresh) => bundle(entry, fresh));
}

/** The bundle with the packages that it imports, as Lambda runs it; the bundle itself if it imports none. */
function withPackages(bundled: string): string {
  const file = join(bundled, NATIVE_IMPORTS);
  if (!existsSync(file)) return bundled;
  const names: string[] = JSON.parse(readFileSync(file, 'utf8'));
  return keptFolder(`${bundled}-for-lambda`, { days: KEPT_DAYS }, (fresh) => {
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
 * Bundles one handler with everything it imports, the AWS SDK included: the same bytes run everywhere. Parts that are
 * imported dynamically become files of their own and load when first needed. Native packages stay outside; a file of
 * the bundle names those that it imports. Returns the folder.
 */
export function bundle(entry: string, folder: string): string {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = buildSync({
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
    external: Object.keys(NATIVE_PACKAGES),
    metafile: true,
    alias: { http: httpModule(), 'node:http': httpModule() },
    // CommonJS packages inside the bundle load Node's own modules with `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
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
