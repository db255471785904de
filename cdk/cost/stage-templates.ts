import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import { fiveServices } from '../five-services.ts';
import type { Stage } from '../settings.ts';
import type { BilledTemplate } from './idle-bill.ts';

/** Synthesizes the templates of a stage, without the code of its functions, as they are with these settings. */
export function stageTemplates(stage: Stage): readonly BilledTemplate[] {
  const outdir = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const app = new App({ context: { [BUNDLING_STACKS]: [], stage, alarmsTo: 'nobody' }, outdir });
    fiveServices(app);
    return app.synth().stacks.map(({ template }) => template as BilledTemplate);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
