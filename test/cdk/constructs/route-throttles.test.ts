import { expect, it } from 'vitest';
import { droppedThrottles } from '../../../cdk/constructs/route-throttles.ts';

it('a deployment names the routes whose settings the next template leaves out', () => {
  const deployed = JSON.stringify({
    Resources: {
      Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { RouteSettings: { 'GET /a': {}, 'GET /b': {} } } },
      Metadata: { Type: 'AWS::CDK::Metadata' },
    },
  });
  expect(droppedThrottles(deployed, (key) => key === 'GET /a')).toEqual(['GET /b']);
  expect(droppedThrottles(deployed, () => true)).toEqual([]);
});
