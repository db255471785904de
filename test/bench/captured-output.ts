/** Keeps what is printed instead of showing it, until it is stopped. */
export function capturedOutput() {
  const { stdout } = process;
  const write = stdout.write.bind(stdout);
  const output = {
    text: '',
    end(): string {
      stdout.write = write;
      return output.text;
    },
  };
  stdout.write = (text: string | Uint8Array) => {
    output.text += String(text);
    return true;
  };
  return output;
}
