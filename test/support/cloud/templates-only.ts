import { BUNDLING_STACKS } from 'aws-cdk-lib/cx-api';
import type { Stage } from '../../../cdk/settings.ts';
import { type StageStack, stageStacks } from '../../../cdk/stage-stacks.ts';

/**
 * Context of a synthesis that is only looked at. Its assets get no native packages: those for Lambda would have to be
 * fetched, and tests run without a network.
 */
export const TEMPLATES_ONLY = { [BUNDLING_STACKS]: [] };

const synthesized = new Map<Stage, readonly StageStack[]>();

/** The stacks of a stage with its own settings, synthesized once for all tests of a process. */
export function stacksOf(stage: Stage): readonly StageStack[] {
  const stacks = synthesized.get(stage) ?? stageStacks(stage);
  synthesized.set(stage, stacks);
  return stacks;
}
