/**
 * The text of the runbook, loaded on demand. Only esbuild supports this import, as for the files in
 * `assets/embedded.ts`.
 */
import text from '../../../cdk/README.md' with { type: 'text' };

export const RUNBOOK = text;
