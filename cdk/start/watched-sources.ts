/** `npm run dev`: bundles functions again when what they are made of has changed, and notices changes of the stacks. */
import { mkdirSync, readdirSync, renameSync, watch, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { context, type OutputFile } from 'esbuild';
import { functionsBuild } from './bundled-functions.ts';
import { assemblyDigest } from './synthesis.ts';

const SOURCES = ['cdk', 'functions', 'shared'];
/** Editors write a file in several steps, and git many files. */
const SETTLE_MILLIS = 50;

export interface SourceChanges {
  /** The code of these handlers is another one now: `webhooks/rules/rules`. */
  readonly handlers: (names: readonly string[]) => void;
  /** Runs when something that the app depends on has changed since the run began. */
  readonly stacks: () => void;
}

/**
 * Bundles all functions into the folder, and again after every change. esbuild prints its errors itself, and functions
 * keep the code that they had.
 */
export async function watchSources(root: string, folder: string, changes: SourceChanges): Promise<void> {
  const deployed = assemblyDigest(root);
  let last = deployed;
  const written = new Map<string, string>();
  const build = await context({ ...functionsBuild(root, folder), write: false, logLevel: 'error' });
  writeChanges((await build.rebuild()).outputFiles, written);

  async function follow() {
    const result = await build.rebuild().catch(() => undefined);
    const names = writeChanges(result?.outputFiles ?? [], written).map((file) => nameOf(folder, file));
    if (names.length > 0) changes.handlers(names);
    const now = digestIn(root);
    if (now !== last && now !== deployed) changes.stacks();
    last = now;
    watchFolders();
  }
  const followSoon = onceAtATime(follow);
  const watched = new Set<string>();
  // Each folder by itself: Node's recursive watching misses files on Linux that were replaced before.
  function watchFolders() {
    for (const path of foldersOf(root).filter((one) => !watched.has(one))) {
      watched.add(path);
      watch(path, followSoon).on('error', () => watched.delete(path));
    }
  }
  watchFolders();
}

const foldersOf = (root: string): string[] =>
  SOURCES.flatMap((name) => [
    join(root, name),
    ...readdirSync(join(root, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name)),
  ]);

/** Calls during a run of the work cause one more run. */
function onceAtATime(work: () => Promise<void>): () => void {
  let isUnderWay = false;
  let isDue = false;
  const run = async () => {
    isUnderWay = true;
    while (isDue) {
      await pause(SETTLE_MILLIS);
      isDue = false;
      await work();
    }
    isUnderWay = false;
  };
  return () => {
    isDue = true;
    if (!isUnderWay) void run();
  };
}

/** Returns a digest that equals no other while the stacks cannot be read. */
function digestIn(root: string): string {
  try {
    return assemblyDigest(root);
  } catch {
    return 'none';
  }
}

const nameOf = (folder: string, file: string) => relative(folder, file).replaceAll('\\', '/').slice(0, -'.mjs'.length);

const isPart = ({ path }: OutputFile) => basename(path).startsWith('part-');

/**
 * Writes what is new or has changed, and returns the modules of functions among it. Parts come first and each file is put
 * in place whole, so that a function which starts at this moment loads all old code or all new code. Old parts stay, for
 * functions that have not loaded all of theirs.
 */
function writeChanges(outputs: readonly OutputFile[], written: Map<string, string>): string[] {
  const changed = outputs.filter(({ path, hash }) => written.get(path) !== hash);
  for (const { path, hash, contents } of [...changed.filter(isPart), ...changed.filter((file) => !isPart(file))]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, contents);
    renameSync(`${path}.new`, path);
    written.set(path, hash);
  }
  return changed.filter((file) => !isPart(file) && file.path.endsWith('.mjs')).map(({ path }) => path);
}
