import { describe, expect, it } from 'vitest';
import { errorText, nextPath } from '../../../functions/records/commands/public-api.ts';

describe('the text of an error', () => {
  it.each([
    [400, '{"error":"colour does not exist in business schema"}', 'colour does not exist in business schema'],
    [401, '{"error":"Unauthorized","message":"Provide a token.","code":401}', 'Provide a token.'],
    [500, '{"error":"E","message":"It broke.","code":500,"requestId":"r-1"}', 'It broke. (request r-1)'],
    [429, '{"message":"Too Many Requests"}', 'Too Many Requests'],
    [503, '<h1>Busy</h1>\n', 'The service answered 503: <h1>Busy</h1>'],
    [502, '[]', 'The service answered 502: []'],
    [400, '{"error":5}', 'The service answered 400: {"error":5}'],
  ])('of a %i with %s is the sentence in it', (status, body, text) => {
    expect(errorText(status, body)).toBe(text);
  });
});

describe('the rest of a list', () => {
  it('is where the Link header says, if that is a path of the service', () => {
    expect(nextPath('</v3/results/5?after=99>; rel="next"')).toBe('/v3/results/5?after=99');
    expect(nextPath('</v3/results/5?after=99>; rel="prev"')).toBeUndefined();
    expect(nextPath(null)).toBeUndefined();
  });

  it.each(['https://elsewhere.example.com/v3', '//elsewhere.example.com/v3', '@elsewhere.example.com/v3'])(
    'is never taken from %s, which would receive the token',
    (target) => expect(nextPath(`<${target}>; rel="next"`)).toBeUndefined(),
  );
});
