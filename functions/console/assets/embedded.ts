/**
 * The files in the bundle. Only esbuild supports these imports: Node refuses them, and in vitest they are empty, so
 * tests read the files themselves.
 */
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' with { type: 'bytes' };
import completionScript from './completion-script.js' with { type: 'text' };
import css from './console.css' with { type: 'text' };
import logo from './logo.svg' with { type: 'text' };
import script from './page-script.js' with { type: 'text' };
import uploadScript from './upload-script.js' with { type: 'text' };

const utf8 = (text: string) => new TextEncoder().encode(text);

/** The files that the console serves below `/console/assets/`, by name. */
export const EMBEDDED = {
  'console.css': { type: 'text/css; charset=utf-8', bytes: utf8(css) },
  'page-script.js': {
    type: 'text/javascript; charset=utf-8',
    bytes: utf8([script, uploadScript, completionScript].join('\n')),
  },
  'logo.svg': { type: 'image/svg+xml', bytes: utf8(logo) },
  'inter.woff2': { type: 'font/woff2', bytes: inter },
} as const;
