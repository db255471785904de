/** Loaded when somebody reads it. As the files of `assets/embedded.ts`, only esbuild reads it so. */
import text from '../../../cdk/README.md' with { type: 'text' };

export const RUNBOOK = text;
