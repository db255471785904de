/** npm start, in plain JavaScript: without `npm ci` there is no Node of the project, and older ones read no TypeScript. */
import { existsSync } from 'node:fs';

const NODE_MAJOR = 24;

const isInstalled = existsSync(new URL('../../node_modules/.package-lock.json', import.meta.url));
if (!isInstalled || Number.parseInt(process.versions.node, 10) < NODE_MAJOR) {
  process.stderr.write(`Run npm ci first: it installs Node ${NODE_MAJOR} and the packages that npm start needs.\n`);
  process.exit(1);
}
await import(new URL('./main.ts', import.meta.url).href);
