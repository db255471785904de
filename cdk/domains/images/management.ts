import type { Construct } from 'constructs';
import type { Foundations } from '../../stacks/domain-stack.ts';

export function addManagement(_scope: Construct, _on: Foundations): void {}
