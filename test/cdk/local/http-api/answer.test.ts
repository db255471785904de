import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../../cdk/local/http-api/answer.ts';

function textAnswer(result: unknown) {
  const answer = answerOf(JSON.stringify(result));
  return answer && { ...answer, body: answer.body.toString('utf8') };
}

describe('the result of a function', () => {
  it('with a status code is the answer', () => {
    expect(textAnswer({ statusCode: 201, headers: { 'X-A': 'b', 'Content-Type': 'text/html' }, body: 'hi' })).toEqual({
      status: 201,
      headers: [
        ['x-a', 'b'],
        ['content-type', 'text/html'],
      ],
      body: 'hi',
    });
  });

  it('is plain text without a content type', () => {
    expect(textAnswer({ statusCode: 204 })).toEqual({
      status: 204,
      headers: [['content-type', 'text/plain;charset=UTF-8']],
      body: '',
    });
  });

  it('sets each cookie in a separate header', () => {
    expect(textAnswer({ statusCode: 200, cookies: ['a=1', 'b=2'] })?.headers).toEqual(
      expect.arrayContaining([
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ]),
    );
  });

  it('may have its body in base64', () => {
    const answer = answerOf(JSON.stringify({ statusCode: 200, isBase64Encoded: true, body: 'AP8=' }));
    expect(answer?.body).toEqual(Buffer.from([0, 255]));
  });

  it('may have numbers and booleans as header values, and cannot set Content-Length', () => {
    expect(textAnswer({ statusCode: '200', headers: { 'x-n': 1, 'x-b': true, 'content-length': 7 } })?.headers).toEqual(
      [
        ['content-type', 'text/plain;charset=UTF-8'],
        ['x-n', '1'],
        ['x-b', 'true'],
      ],
    );
  });

  it.each([
    [{ a: 1 }, '{"a":1}'],
    ['text', 'text'],
    [[1, 2], '[1,2]'],
    [null, 'null'],
    [{ body: 'x', headers: { a: 'b' } }, '{"body":"x","headers":{"a":"b"}}'],
  ])('without a status code is the body of a 200: %j', (result, body) => {
    expect(textAnswer(result)).toEqual({ status: 200, headers: [['content-type', 'application/json']], body });
  });

  it.each([
    { statusCode: 'many' },
    { statusCode: 99 },
    { statusCode: 600 },
    { statusCode: 200.5 },
    { statusCode: 200, body: { a: 1 } },
    { statusCode: 200, headers: 'none' },
    { statusCode: 200, headers: { a: ['b'] } },
    { statusCode: 200, headers: { a: 'b\r\nc: d' } },
    { statusCode: 200, cookies: 'a=1' },
  ])('is no answer when it is malformed: %j', (result) => {
    expect(textAnswer(result)).toBeUndefined();
  });
});
