import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { FEATURE_FLAGS } from './feature-flags.ts';
import { refuseLocalVariables, settingsOf, stackNames, stageOf } from './settings.ts';
import { DataStack } from './stacks/data-stack.ts';
import { DomainStack } from './stacks/domain-stack.ts';
import { EdgeStack } from './stacks/edge-stack.ts';
import { GatewayStack } from './stacks/gateway-stack.ts';

/** The stacks of one stage, in the order in which they build on one another. */
export interface FiveServices {
  readonly data: DataStack;
  readonly edge: EdgeStack;
  readonly domains: readonly DomainStack[];
  readonly gateway: GatewayStack;
}

/** All stacks of the stage that the app's context names, under the checks that a deployment has to pass. */
export function fiveServices(app: App): FiveServices {
  for (const [flag, value] of Object.entries(FEATURE_FLAGS)) app.node.setContext(flag, value);
  refuseLocalVariables(app);
  const stage = stageOf(app);
  const { domains, retainData } = settingsOf(app);
  const props = { terminationProtection: retainData };
  const [dataName = '', edgeName = '', ...laterNames] = stackNames(stage, domains);
  const data = new DataStack(app, dataName, props);
  const edge = new EdgeStack(app, edgeName, { ...props, data });
  const domainStacks = domains.map(
    (domain, index) => new DomainStack(app, laterNames[index] ?? '', { ...props, domain, data, edge }),
  );
  const gateway = new GatewayStack(app, laterNames[domains.length] ?? '', { ...props, edge, domains: domainStacks });
  Tags.of(app).add('service', 'five-services');
  Tags.of(app).add('stage', stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
  return { data, edge, domains: domainStacks, gateway };
}
