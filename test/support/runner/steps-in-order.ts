import { beforeAll, type RunnerTestSuite } from 'vitest';

/**
 * Says that the tests of a file are steps of one story, such as the life of one service whose clock only goes forward:
 * they run in the order in which they are written, also with TEST_ORDER=random. For one `describe` of a file, its option
 * `{ shuffle: false }` says the same.
 */
export function stepsInOrder(): void {
  // oxlint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
  beforeAll(({}, file) => inOrder(file));
}

function inOrder(suite: RunnerTestSuite): void {
  suite.shuffle = false;
  for (const child of suite.tasks) if (child.type === 'suite') inOrder(child);
}
