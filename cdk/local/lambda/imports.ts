import { readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Static and dynamic imports as esbuild writes them. Other text rarely looks the same. */
const IMPORT =
  /(?:^|[;}\n])(?:import|export)(?:[\w$*{},\s]+from)?\s*["'](?<from>[^"'\s]+)["']|\bimport\(["'](?<later>[^"'\s]+)["']\)/g;

interface ReadModule {
  readonly changedAt: number;
  readonly imports: readonly string[];
}

const modules = new Map<string, ReadModule>();

const PACKAGE = /^(?:@[\w.-]+\/)?[\w.-]+(?:\/|$)/;

/** Returns whether the module, or one of its bundle, imports a package. Bundles hold all packages but native ones. */
export function importsPackages(module: string, seen: Set<string> = new Set()): boolean {
  if (seen.has(module)) return false;
  seen.add(module);
  return importsOf(module).some((to) =>
    /^\.{1,2}\//.test(to) ? importsPackages(new URL(to, module).href, seen) : PACKAGE.test(to) && !isBuiltin(to),
  );
}

function importsOf(module: string): readonly string[] {
  const file = fileURLToPath(module);
  const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (changedAt === undefined) return [];
  const cached = modules.get(module);
  if (cached?.changedAt === changedAt) return cached.imports;
  const imports = [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(
    ({ groups }) => groups?.['from'] ?? groups?.['later'] ?? [],
  );
  modules.set(module, { changedAt, imports });
  return imports;
}
