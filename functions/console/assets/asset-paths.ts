import { createHash } from 'node:crypto';

export interface Asset {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export type AssetName = 'console.css' | 'page-script.js' | 'logo.svg' | 'inter.woff2';

/** The assets, at addresses that change with their content, so that browsers cache them permanently. */
export class Assets {
  private readonly assets: Readonly<Record<AssetName, Asset>>;
  private readonly paths: Readonly<Record<AssetName, string>>;

  constructor(assets: Readonly<Record<AssetName, Asset>>) {
    // The stylesheet refers to the font by its path.
    const font = pathOf('inter.woff2', assets['inter.woff2'].bytes);
    const css = new TextDecoder().decode(assets['console.css'].bytes).replaceAll('inter.woff2', font);
    const own = { ...assets, 'console.css': { ...assets['console.css'], bytes: new TextEncoder().encode(css) } };
    this.assets = own;
    this.paths = Object.fromEntries(
      Object.entries(own).map(([name, { bytes }]) => [name, pathOf(name as AssetName, bytes)]),
    ) as Record<AssetName, string>;
  }

  path(name: AssetName): string {
    return this.paths[name];
  }

  /**
   * Returns the asset at a path. The path of an older deployment returns the current content, which must not be cached.
   */
  at(path: string): (Asset & { readonly isCurrent: boolean }) | undefined {
    const [, stem = '', extension = ''] = /^\/console\/assets\/([\w-]+)\.[\w-]+\.(\w+)$/.exec(path) ?? [];
    const name = `${stem}.${extension}`;
    if (!Object.hasOwn(this.assets, name)) return undefined;
    return { ...this.assets[name as AssetName], isCurrent: this.paths[name as AssetName] === path };
  }
}

function pathOf(name: AssetName, bytes: Uint8Array): string {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  return `/console/assets/${name.replace('.', `.${hash}.`)}`;
}
