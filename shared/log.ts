type Fields = Readonly<Record<string, unknown>>;

/**
 * One JSON line per event of interest. Callers pass facts, never whole requests: no token, key or body belongs here.
 * Written to stdout directly, because the JSON log format of Lambda keeps such lines as they are.
 */
export const log = {
  info: (message: string, fields: Fields = {}) => write('INFO', message, fields),
  warn: (message: string, fields: Fields = {}) => write('WARN', message, fields),
  error: (message: string, error: unknown, fields: Fields = {}) =>
    write('ERROR', message, { ...fields, error: describe(error) }),
};

function write(level: string, message: string, fields: Fields) {
  process.stdout.write(`${JSON.stringify({ timestamp: new Date().toISOString(), level, message, ...fields })}\n`);
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  };
}
