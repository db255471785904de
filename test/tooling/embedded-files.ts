import { readFileSync } from 'node:fs';
import type { Plugin } from 'vitest/config';

const EMBEDDED = /\/functions\/console\/assets\/[\w-]+\.(css|js|svg)$|\.woff2$/;
/** Ids that do not show the name of the file: vitest blanks stylesheets, and leaves packages to Node. */
const PREFIX = '\0embedded:';

/** Files that a bundle holds as text or bytes: esbuild reads them by their import attributes, which vitest ignores. */
export const embeddedFiles = (): Plugin => ({
  name: 'embedded-files',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!/\.(css|js|svg|woff2)$/.test(source)) return undefined;
    const target = await this.resolve(source, importer, { skipSelf: true });
    return target && EMBEDDED.test(target.id) ? `${PREFIX}${Buffer.from(target.id).toString('base64url')}` : undefined;
  },
  load(id) {
    if (!id.startsWith(PREFIX)) return undefined;
    const path = Buffer.from(id.slice(PREFIX.length), 'base64url').toString();
    const bytes = readFileSync(path);
    if (!path.endsWith('.woff2')) return `export default ${JSON.stringify(bytes.toString('utf8'))};`;
    return `export default Uint8Array.from(atob(${JSON.stringify(bytes.toString('base64'))}), (c) => c.charCodeAt(0));`;
  },
});
