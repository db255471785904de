import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import type { BilledTemplate } from './cost/idle-bill.ts';
import { fiveServices } from './five-services.ts';
import { NOBODY, type Stage } from './settings.ts';

/** A stack as it would be deployed, without the code of its functions. */
export interface StageStack {
  readonly template: BilledTemplate;
  /** CloudFormation refuses the stack in an account that an older `cdk bootstrap` prepared. */
  readonly requiresBootstrapStackVersion?: number | undefined;
}

/** Synthesizes the stacks of a stage. @param context as `--context` sets it */
export function stageStacks(stage: Stage, context: Readonly<Record<string, string>> = {}): readonly StageStack[] {
  const outdir = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const app = new App({ context: { [BUNDLING_STACKS]: [], alarmsTo: NOBODY, ...context, stage }, outdir });
    fiveServices(app);
    // Templates are read from the folder, which goes.
    return app
      .synth()
      .stacks.map(({ template, requiresBootstrapStackVersion }) => ({ template, requiresBootstrapStackVersion }));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The templates of a stage. */
export const stageTemplates = (stage: Stage): readonly BilledTemplate[] =>
  stageStacks(stage).map(({ template }) => template);
