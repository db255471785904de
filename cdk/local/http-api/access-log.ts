/** One line per request in the format of the stage's `AccessLogSettings`. */

/** The values of `$context.NAME`; a missing one is written as `-`. */
export type AccessLogContext = Readonly<Record<string, string | number | undefined>>;

export function accessLogLine(format: string, context: AccessLogContext): string {
  return format.replaceAll(/\$context\.([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)/g, (_, name: string) => {
    const value = context[name];
    // The format is mostly JSON: a quote in a value must not end it.
    return value === undefined ? '-' : JSON.stringify(String(value)).slice(1, -1);
  });
}
