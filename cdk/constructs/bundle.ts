import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
const BUNDLES = join(ROOT, 'node_modules', '.cache', 'bundles');

/** The code of `functions/<handlerOf>.handler.ts`, ready to be uploaded. */
export function handlerCode(handlerOf: string): Code {
  const entry = join(ROOT, 'functions', `${handlerOf}.handler.ts`);
  if (!existsSync(entry)) throw new Error(`There is no handler ${entry}.`);
  return Code.fromAsset(keptBundle(entry, { bundles: join(BUNDLES, handlerOf), sources: sourcesDigest() }));
}

/** What can be in a bundle: our own code, the packages, and how this file puts them together. */
const SOURCES = ['functions/**/*.ts', 'shared/**/*.ts', 'package-lock.json', 'cdk/constructs/bundle.ts'];
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

/**
 * A bundle in a folder of its own, named after its sources, so that it is made once. It is never changed, since another
 * synthesis may be reading it; bundles unused for a day are removed.
 */
export function keptBundle(entry: string, { bundles, sources }: { bundles: string; sources: string }): string {
  mkdirSync(bundles, { recursive: true });
  const kept = join(bundles, sources);
  if (!existsSync(kept)) putInPlace(bundle(entry, join(bundles, `new-${randomUUID()}`)), kept);
  const now = new Date();
  utimesSync(kept, now, now);
  forgetOld(bundles, now);
  return kept;
}

function putInPlace(fresh: string, kept: string): void {
  try {
    renameSync(fresh, kept);
  } catch (error) {
    // Another process was faster; its bundle is the same.
    if (!existsSync(kept)) throw error;
    rmSync(fresh, { recursive: true });
  }
}

function forgetOld(bundles: string, now: Date) {
  for (const name of readdirSync(bundles)) {
    const path = join(bundles, name);
    // Another synthesis may be removing bundles at the same time.
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && now.getTime() - stats.mtimeMs > KEPT_DAYS * 86_400_000) rmSync(path, { recursive: true, force: true });
  }
}

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
    alias: { http: httpModule(), 'node:http': httpModule() },
    // CommonJS packages inside the bundle load Node's own modules with `require`.
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return folder;
}
