/** The process of the demo commands whose files it is given: what several of them load, it loads once. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

for (const command of process.argv.slice(2)) {
  await import(pathToFileURL(resolve(command)).href);
  if (process.exitCode) {
    process.stderr.write(`${command} failed.\n`);
    break;
  }
}
