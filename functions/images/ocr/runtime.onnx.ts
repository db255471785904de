type Native = typeof import('onnxruntime-node');

/** The classes that run networks. Both packages have them. */
export type OnnxRuntime = Pick<Native, 'InferenceSession' | 'Tensor'>;

/**
 * The native runtime, or WebAssembly where it has no binary: on Macs with Intel processors, and on Linux without glibc.
 * WebAssembly reads the same, and takes longer. No asset for Lambda holds it, because Lambda loads the binary.
 */
export async function onnxRuntime(
  native: () => Promise<OnnxRuntime> = () => import('onnxruntime-node'),
): Promise<OnnxRuntime> {
  try {
    return await native();
  } catch (cause) {
    return await webAssembly().catch(() => {
      throw cause;
    });
  }
}

async function webAssembly(): Promise<OnnxRuntime> {
  const runtime = await import('onnxruntime-web');
  // Its threads would outlive the sessions.
  runtime.env.wasm.numThreads = 1;
  return runtime;
}
