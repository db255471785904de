import { describe, expect, test } from 'vitest';
import { chosenEngine, engineCommand } from '../../../../cdk/local/dynamodb/engine-choice.ts';

describe('the DynamoDB engine', () => {
  test('is the one that the environment names', () => {
    expect(chosenEngine({ LOCAL_DYNAMODB: 'dynamodb-local' })).toBe('dynamodb-local');
    expect(chosenEngine({ AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' })).toEqual({
      url: 'http://127.0.0.1:8000',
    });
    expect(chosenEngine({ LOCAL_DYNAMODB: 'dynoxide', AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' })).toBe(
      'dynoxide',
    );
  });

  test('is refused when its name is misspelt', () => {
    expect(() => chosenEngine({ LOCAL_DYNAMODB: 'dynamo' })).toThrow(
      'LOCAL_DYNAMODB must be dynoxide or dynamodb-local',
    );
  });

  test('is DynamoDB Local if nothing else is installed', () => {
    expect(chosenEngine({}, ['dynamodb-local'])).toBe('dynamodb-local');
  });

  test('that is missing is explained in a sentence', () => {
    expect(() => chosenEngine({}, [])).toThrow(
      /^dynoxide, the DynamoDB engine, has no build for \w+ \w+: install Java 17 and run "npm run install:dynamodb-local", or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB-compatible endpoint\.$/,
    );
  });

  test('listens on this machine only and keeps tables where it is told', () => {
    const engine = chosenEngine({});
    if (engine !== 'dynoxide') return;
    const command = engineCommand(engine);
    expect(command.argumentsFor(8000, null)).toEqual(['--host=127.0.0.1', '--port=8000']);
    expect(command.argumentsFor(8000, '/data')).toContain('--db-path');
  });
});
