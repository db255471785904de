import { connect } from 'node:net';
import { type CfnStage, HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { describe, expect, it } from 'vitest';
import { Clock } from '../../../../cdk/local/clock.ts';
import { appOf, functionOf, startLocalCloud } from '../../../support/cloud/local-cloud.ts';
import { LASTING, polled } from '../../../support/runner/machine-time.ts';

const ECHO = 'export const handler = async (event) => event;';

describe('a stage with a throttle', () => {
  it('answers 429 above its burst', async () => {
    const throttled = await startLocalCloud({
      app: appOf((stack) => {
        const api = new HttpApi(stack, 'Api', { createDefaultStage: false });
        new HttpStage(stack, 'Stage', {
          httpApi: api,
          autoDeploy: true,
          throttle: { rateLimit: 0.001, burstLimit: 2 },
        });
        const echo = functionOf(stack, 'Echo', ECHO);
        api.addRoutes({ path: '/', methods: [HttpMethod.GET], integration: new HttpLambdaIntegration('I', echo) });
      }),
    });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await fetch(throttled.apiUrl)).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    await throttled.close();
  });
});

describe('a route with a throttle of its own', () => {
  const appWith = (routeSettings: object) =>
    appOf((stack) => {
      const api = new HttpApi(stack, 'Api', { createDefaultStage: false });
      const stage = new HttpStage(stack, 'Stage', {
        httpApi: api,
        autoDeploy: true,
        throttle: { rateLimit: 1, burstLimit: 3 },
      });
      (stage.node.defaultChild as CfnStage).routeSettings = routeSettings;
      const integration = new HttpLambdaIntegration('I', functionOf(stack, 'Echo', ECHO));
      for (const path of ['/own', '/{proxy+}']) api.addRoutes({ path, methods: [HttpMethod.GET], integration });
    });

  it('answers 429 above its burst until the clock has refilled it, and does not affect other routes', async () => {
    const clock = new Clock(() => 0);
    const cloud = await startLocalCloud({
      app: appWith({ 'GET /own': { ThrottlingRateLimit: 2, ThrottlingBurstLimit: 4 } }),
      clock,
    });
    const statuses = async (path: string, times: number) => {
      const answers: [number, string][] = [];
      for (let i = 0; i < times; i++) {
        const response = await fetch(new URL(path, cloud.apiUrl));
        answers.push([response.status, response.status === 429 ? await response.text() : '']);
      }
      return answers;
    };
    const served: [number, string] = [200, ''];
    const refused: [number, string] = [429, '{"message":"Too Many Requests"}'];
    expect(await statuses('/own', 5)).toEqual([served, served, served, served, refused]);
    expect(await statuses('/other', 4)).toEqual([served, served, served, refused]);
    clock.advance(1_000);
    expect(await statuses('/own', 3)).toEqual([served, served, refused]);
    expect(await statuses('/other', 2)).toEqual([served, refused]);
    await cloud.close();
  });

  it('has to be a route of the API', async () => {
    const app = appWith({ 'POST /own': { ThrottlingRateLimit: 2, ThrottlingBurstLimit: 4 } });
    await expect(startLocalCloud({ app })).rejects.toThrow(
      'Unable to find Route by key POST /own within the provided RouteSettings',
    );
  });
});

describe('an API with a CORS configuration', () => {
  it('is refused at the start, by the name of the property', async () => {
    const app = appOf((stack) => void new HttpApi(stack, 'Api', { corsPreflight: { allowOrigins: ['*'] } }));
    await expect(startLocalCloud({ app })).rejects.toThrow('CorsConfiguration: the local cloud does not have it');
  });
});

describe('closing', () => {
  it('lets a running request finish and accepts no new one', async () => {
    const ending = await startLocalCloud({
      app: appOf((stack) => {
        const api = new HttpApi(stack, 'Api');
        const source = `const lasting = ${LASTING};
          export const handler = async () => { console.log("begun"); return lasting(700, "done"); };`;
        const integration = new HttpLambdaIntegration('I', functionOf(stack, 'Slow', source));
        api.addRoutes({ path: '/', methods: [HttpMethod.GET], integration });
      }),
    });
    const { port } = new URL(ending.apiUrl);
    const underWay = fetch(ending.apiUrl);
    await polled(
      () => ending.logsOf('Slow').length,
      (lines) => lines > 0,
    );
    const closed = ending.close();
    expect(await (await underWay).text()).toBe('done');
    await closed;
    const refused = new Promise((resolve) => connect(Number(port), '127.0.0.1').on('error', resolve));
    expect(await refused).toMatchObject({ code: 'ECONNREFUSED' });
  });
});
