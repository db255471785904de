/** npm run baseline: records the templates as those of a release, with a line in the changelog. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../../shared/command/command.ts';
import { type Baseline, baselineOf, losses, templatesOfProd } from './baseline.ts';

const FILE = join(import.meta.dirname, 'prod.json');
const CHANGELOG = join(import.meta.dirname, '..', '..', '..', '.github', 'CHANGELOG.md');
const SECTION = '## Unreleased\n\n';

await runCommandLine(
  {
    script: 'baseline',
    about: `Records what deployments of this revision will hold: stateful resources and exports of prod, which the next
revisions must not lose. Prints what is lost beside the last recording, and puts the sentence into the changelog.`,
    options: {},
    operands: { value: 'SENTENCE', about: 'what operators have to know or to do, for the changelog', required: true },
    example: '"The accounts table has an index by mail address."',
  },
  async ({ operands }) => {
    const folder = mkdtempSync(join(tmpdir(), 'baseline-'));
    try {
      const next = baselineOf(templatesOfProd(folder));
      for (const loss of losses(JSON.parse(readFileSync(FILE, 'utf8')) as Baseline, next)) console.log(loss);
      const changes = readFileSync(CHANGELOG, 'utf8');
      if (!changes.includes(SECTION)) throw new Error('The changelog has no section Unreleased.');
      writeFileSync(
        CHANGELOG,
        changes.replace(SECTION, () => `${SECTION}- ${operands.join(' ')}\n`),
      );
      writeFileSync(FILE, `${JSON.stringify(next, null, 2)}\n`);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
