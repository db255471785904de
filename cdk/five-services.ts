import { type App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { DataStack } from './data-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { stageOf } from './settings.ts';

/** Both stacks of the stage that the app's context names, under the checks that a deployment has to pass. */
export function fiveServices(app: App): { data: DataStack; service: ServiceStack } {
  const stage = stageOf(app);
  const data = new DataStack(app, `five-services-${stage}-data`);
  const service = new ServiceStack(app, `five-services-${stage}`, { data });
  Tags.of(app).add('service', 'five-services');
  Tags.of(app).add('stage', stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks());
  return { data, service };
}
