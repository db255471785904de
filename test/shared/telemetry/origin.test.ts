import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tracedBy } from '../../../shared/queue/trace-attribute.sqs.ts';
import { withLogFields } from '../../../shared/telemetry/log.ts';
import { currentOrigin, originIn, traceHeader } from '../../../shared/telemetry/origin.ts';

const API = '1-5759e988-bd862e3fe1be46a994272793';
const WORKER = '1-67891233-abcdef012345678912345678';

const invokedWith = (header: string) => vi.stubEnv('_X_AMZN_TRACE_ID', header);
afterEach(() => void vi.unstubAllEnvs());

describe('the origin of work', () => {
  it('is the trace of the invocation, unless its message has another one', () => {
    expect(currentOrigin()).toEqual({});
    invokedWith(`Root=${WORKER};Parent=53995c3f42cd8ad8;Sampled=1;Lineage=1:a87bd80c:0`);
    expect(currentOrigin()).toEqual({ origin: WORKER });
    withLogFields({ ...originIn(`Root=${API};Sampled=0`) }, () => expect(currentOrigin()).toEqual({ origin: API }));
  });

  it('goes on in messages as the header of X-Ray, that of an item before that of the work', () => {
    expect(tracedBy()).toEqual({});
    invokedWith(`Root=${WORKER};Sampled=1`);
    expect(traceHeader()).toBe(`Root=${WORKER}`);
    expect(tracedBy({ origin: API })).toEqual({
      MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: `Root=${API}` } },
    });
  });

  it('is read from headers alone that X-Ray could have made', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{32}$/);
    fc.assert(
      fc.property(hex, fc.constantFrom('', 'Self=1-67891234-12456789abcdef012345678;'), (digits, before) => {
        const origin = `1-${digits.slice(0, 8)}-${digits.slice(8)}`;
        expect(originIn(`${before}Root=${origin};Parent=463ac35c9f6413ad`)).toEqual({ origin });
      }),
    );
    for (const header of [undefined, '', 'Root=1-5759e988-bd86', `Parent=${API}`, `Root=${API}0`, 'Root=$(rm -rf)']) {
      expect(originIn(header)).toEqual({});
    }
  });
});
