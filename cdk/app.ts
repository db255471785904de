import { App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { DataStack } from './data-stack.ts';
import { ServiceStack } from './service-stack.ts';
import { stageOf } from './settings.ts';

const app = new App();
const stage = stageOf(app);
const data = new DataStack(app, `five-services-${stage}-data`);
new ServiceStack(app, `five-services-${stage}`, { data });
Tags.of(app).add('service', 'five-services');
Tags.of(app).add('stage', stage);
Validations.of(app).addPlugins(new AwsSolutionsChecks());
app.synth();
