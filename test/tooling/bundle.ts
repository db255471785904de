/** Before `npm test`: synthesizes the stacks and bundles the functions. The first tests would all do it at the same time. */
import { resolve } from 'node:path';
import { localApp } from '../../cdk/start/local-app.ts';
import { silentSteps } from '../../cdk/start/steps.ts';

await localApp(resolve(import.meta.dirname, '../..'), silentSteps);
