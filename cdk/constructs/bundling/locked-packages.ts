/** The entry of a package in package-lock.json. */
export interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Packages by path, as in package-lock.json: `node_modules/a`, or `node_modules/a/node_modules/b`. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export interface Platform {
  readonly os: string;
  readonly cpu: string;
  /** Undefined where the system is not Linux. */
  readonly libc?: string | undefined;
}

const FOLDER = 'node_modules/';

export const nameOf = (path: string): string => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

/** Returns whether the package is for one platform only. */
export const isBound = ({ os, cpu }: LockedPackage): boolean => os !== undefined || cpu !== undefined;

/** The packages of these names, and all that they need on the platform. */
export function packagesOn(platform: Platform, names: readonly string[], locked: LockedPackages): LockedPackages {
  const closure = new Map<string, LockedPackage>();
  const add = (name: string, user: string, isOptional: boolean) => {
    const path = resolved(name, user, locked);
    const entry = path === undefined ? undefined : locked[path];
    if (path === undefined || !entry || !runsOn(entry, platform)) {
      if (isOptional) return;
      throw new Error(`package-lock.json has no ${name} for ${Object.values(platform).join(' ')}.`);
    }
    if (closure.has(path)) return;
    closure.set(path, entry);
    for (const needed of Object.keys(entry.dependencies ?? {})) add(needed, path, false);
    for (const needed of Object.keys(entry.optionalDependencies ?? {})) add(needed, path, true);
  };
  for (const name of names) add(name, '', false);
  return Object.fromEntries(closure);
}

function runsOn({ os, cpu, libc }: LockedPackage, platform: Platform): boolean {
  const fits = (allowed: readonly string[] | undefined, actual: string | undefined) =>
    allowed === undefined || (actual !== undefined && allowed.includes(actual));
  return fits(os, platform.os) && fits(cpu, platform.cpu) && fits(libc, platform.libc);
}

/** The path that Node would find: the folder of the user itself, then those around it. */
function resolved(name: string, user: string, locked: LockedPackages): string | undefined {
  const path = user === '' ? `${FOLDER}${name}` : `${user}/${FOLDER}${name}`;
  if (path in locked) return path;
  return user === '' ? undefined : resolved(name, user.slice(0, Math.max(0, user.lastIndexOf(FOLDER) - 1)), locked);
}
