import { App } from 'aws-cdk-lib';
import { fiveServices } from './five-services.ts';

const app = new App();
fiveServices(app);
app.synth();
