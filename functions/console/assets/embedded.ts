/**
 * The files that the bundle holds. Only esbuild reads them so: Node refuses these imports, and vitest gives blanks. Tests
 * read the files themselves.
 */
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' with { type: 'bytes' };
import css from './console.css' with { type: 'text' };
import logo from './logo.svg' with { type: 'text' };
import script from './page-script.js' with { type: 'text' };

const utf8 = (text: string) => new TextEncoder().encode(text);

/** What the console serves below `/console/assets/`, by name. */
export const EMBEDDED = {
  'console.css': { type: 'text/css; charset=utf-8', bytes: utf8(css) },
  'page-script.js': { type: 'text/javascript; charset=utf-8', bytes: utf8(script) },
  'logo.svg': { type: 'image/svg+xml', bytes: utf8(logo) },
  'inter.woff2': { type: 'font/woff2', bytes: inter },
} as const;
