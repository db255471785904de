import { readFileSync } from 'node:fs';
import type { Plugin } from 'vitest/config';

const EMBEDDED = /\/functions\/console\/assets\/[\w-]+\.(css|js|svg)$|\.woff2$/;

/** Files that a bundle holds as text or bytes: esbuild reads them by their import attributes, which vitest ignores. */
export const embeddedFiles = (): Plugin => ({
  name: 'embedded-files',
  enforce: 'pre',
  load(id) {
    const [path = ''] = id.split('?');
    if (!EMBEDDED.test(path)) return undefined;
    const bytes = readFileSync(path);
    if (!path.endsWith('.woff2')) return `export default ${JSON.stringify(bytes.toString('utf8'))};`;
    return `export default Uint8Array.from(atob(${JSON.stringify(bytes.toString('base64'))}), (c) => c.charCodeAt(0));`;
  },
});
