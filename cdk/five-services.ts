import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { FEATURE_FLAGS } from './feature-flags.ts';
import { settingsOf, stageOf } from './settings.ts';
import { DataStack } from './stacks/data-stack.ts';
import { DomainStack } from './stacks/domain-stack.ts';
import { EdgeStack } from './stacks/edge-stack.ts';

/** The stacks of one stage, in the order in which they build on one another. */
export interface FiveServices {
  readonly data: DataStack;
  readonly edge: EdgeStack;
  readonly domains: readonly DomainStack[];
}

/** All stacks of the stage that the app's context names, under the checks that a deployment has to pass. */
export function fiveServices(app: App): FiveServices {
  for (const [flag, value] of Object.entries(FEATURE_FLAGS)) app.node.setContext(flag, value);
  const stage = stageOf(app);
  const { domains, retainData } = settingsOf(app);
  const named = (part: string) => `five-services-${stage}-${part}`;
  const props = { terminationProtection: retainData };
  const data = new DataStack(app, named('data'), props);
  const edge = new EdgeStack(app, named('edge'), { ...props, data });
  const made = domains.map((domain) => new DomainStack(app, named(domain), { ...props, domain, data, edge }));
  Tags.of(app).add('service', 'five-services');
  Tags.of(app).add('stage', stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
  return { data, edge, domains: made };
}
