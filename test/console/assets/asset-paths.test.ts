import { describe, expect, it } from 'vitest';
import { Assets } from '../../../functions/console/assets/asset-paths.ts';
import { EMBEDDED } from '../../../functions/console/assets/embedded.ts';

const assets = new Assets(EMBEDDED);
const NAMES = Object.keys(EMBEDDED) as (keyof typeof EMBEDDED)[];

describe('the assets of the console', () => {
  it('are served under addresses that change with their content', () => {
    for (const name of NAMES) {
      const path = assets.path(name);
      expect(path).toMatch(/^\/console\/assets\/[\w-]+\.[\w-]{12}\.\w+$/);
      expect(assets.at(path)).toMatchObject({ type: EMBEDDED[name].type, isCurrent: true });
      expect(assets.at(path)?.bytes.byteLength).toBeGreaterThan(100);
    }
    const changed = new Assets({ ...EMBEDDED, 'logo.svg': { type: 'image/svg+xml', bytes: Buffer.from('<svg/>') } });
    expect(changed.path('logo.svg')).not.toBe(assets.path('logo.svg'));
    expect(changed.path('console.css')).toBe(assets.path('console.css'));
  });

  it('are found under the address of an older deployment, not to be kept', () => {
    expect(assets.at('/console/assets/console.AAAAAAAAAAAA.css')).toMatchObject({ isCurrent: false });
  });

  it.each(['/console/assets/', '/console/assets/console.css', '/console/assets/toString.x.valueOf', '/console/x'])(
    'are not at %s',
    (path) => {
      expect(assets.at(path)).toBeUndefined();
    },
  );

  it('let the stylesheet find its font', () => {
    const css = Buffer.from(assets.at(assets.path('console.css'))?.bytes ?? []).toString();
    expect(css).toContain(assets.path('inter.woff2'));
    expect(css).not.toContain('"inter.woff2"');
  });

  it('need no script for anything that they show: the script is small', () => {
    expect(EMBEDDED['page-script.js'].bytes.byteLength).toBeLessThan(20_000);
  });
});
